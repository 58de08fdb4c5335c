import { writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import type { SampleStory } from './story.ts'

const HEADER = `# What was done about the sample bucket's failures, and when. Made with the bucket, whose days move with its end:
# changes of real failures stand in the signature's own file, which people review.
`

/** Writes the story's changes as a signature file of only \`changes:\`, loaded beside the reviewed ones. */
export function writeSampleChanges(story: SampleStory, file: string): void {
  const changes = story.signatures.flatMap(({ id, change }) =>
    change
      ? [
          {
            signature: id,
            at: new Date(change.at).toISOString(),
            title: change.title,
            link: change.link,
            dated_by_link: true,
          },
        ]
      : [],
  )
  writeFileSync(file, HEADER + stringify({ changes }, { lineWidth: 0 }))
}
