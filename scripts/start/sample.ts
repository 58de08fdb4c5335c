import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SingleBar } from 'cli-progress'
import { z } from 'zod'
import { writeSampleChanges } from '#lib/testing/sample/changes.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'

/** Named like the bucket of the founding report, so that links take the form they have for real runs. */
const BUCKET = 'origin-ci-test'
const SEED = 1750890

const Marker = z.object({ seed: z.number(), end: z.number() })

/** The sample bucket below the data directory: found whole, or made with its end at `now` (epoch ms). */
export async function sampleBucket(dataDir: string, now: number): Promise<{ dir: string; end: number; made: boolean }> {
  const home = join(dataDir, 'sample')
  const dir = join(home, BUCKET)
  const marker = join(home, 'sample.json')
  const found = readMarker(marker)
  if (found) return { dir, end: found.end, made: false }

  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const bar = new SingleBar({
    format: 'Making the sample bucket {bar} {value} of {total} runs',
    noTTYOutput: true,
    notTTYSchedule: 5000,
    hideCursor: true,
  })
  bar.start(1, 0)
  const story = await generateSample({
    dir,
    seed: SEED,
    end: now,
    onProgress: (done, total) => {
      bar.setTotal(total)
      bar.update(done)
    },
  })
  bar.stop()
  mkdirSync(join(dataDir, 'signatures'), { recursive: true })
  writeSampleChanges(story, join(dataDir, 'signatures', 'sample-changes.yaml'))
  writeFileSync(`${marker}.new`, `${JSON.stringify({ seed: SEED, end: now })}\n`)
  renameSync(`${marker}.new`, marker)
  return { dir, end: now, made: true }
}

function readMarker(file: string): z.infer<typeof Marker> | undefined {
  try {
    return Marker.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
