import type { RunRefs } from '#lib/model/run.ts'

/** `org/repo#12`, several numbers for a batch; the repository alone without any. */
export function pullName({ org, repo, pulls }: RunRefs): string {
  const numbers = pulls.map(({ number }) => `#${number}`).join(' ')
  return `${org}/${repo}${numbers}`
}
