import { sum } from 'd3-array'
import { counted } from './counts-text.ts'
import type { PullCommit, PullView } from './pull.ts'

/** What the page of a pull request says first; of the newest commit alone, as the others are superseded. */
export function pullHeadline({ pull, commits, completeTo }: PullView): string {
  const [newest] = commits
  if (!newest) {
    const why =
      completeTo === undefined
        ? 'nothing may have been read yet'
        : 'its runs may be too new, too old, or of jobs that are left out'
    return `No run of ${pull.name} was read: ${why}.`
  }
  return `${failedWords(newest)}${passedSinceWords(newest)}.`
}

/** `commit 1a2b3c4d5e` */
export function commitWords({ sha }: Pick<PullCommit, 'sha'>): string {
  return sha === undefined ? 'commits that their runs don’t name' : `commit ${sha.slice(0, 10)}`
}

/** `2 of 9 runs of commit 1a2b3c4d5e failed: 1 of a known failure, 1 not known; 1 not ended yet` */
export function failedWords(commit: PullCommit): string {
  const { runs, failed } = commit
  const all = runs.failure + runs.error
  const of = `${counted(sum(Object.values(runs)), 'run')} of ${commitWords(commit)}`
  const count = (state: string) => failed.filter((run) => run.state === state).length
  const others = listed([
    ...(all === 0 ? [[runs.success, 'passed'] as const] : []),
    ...OTHERS.map(([result, words]) => [runs[result], words] as const),
  ])
  const told = [others].filter(Boolean).map((words) => `; ${words}`)
  if (all === 0) return `None of ${of} failed${told.join('')}`
  const judged = [
    [count('known'), 'of a known failure'],
    [count('not'), 'not known'],
    [count('unsure'), 'undecided'],
  ] as const
  return `${all} of ${of} failed: ${listed(judged)}${told.join('')}`
}

const OTHERS = [
  ['pending', 'not ended yet'],
  ['aborted', 'aborted'],
  ['lost', 'lost'],
] as const

function passedSinceWords({ failed }: PullCommit): string {
  const count = failed.filter((run) => run.passedSince).length
  return count === 0 ? '' : `. ${count} of the failed passed since, on the same commit`
}

function listed(counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([n]) => n > 0)
    .map(([n, what]) => `${n} ${what}`)
    .join(', ')
}
