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
  return `${failedWords(newest)} of ${commitWords(newest)}${othersWords(newest)}.`
}

/** `commit 1a2b3c4d5e` */
export function commitWords({ sha }: Pick<PullCommit, 'sha'>): string {
  return sha === undefined ? 'commits that their runs don’t name' : `commit ${sha.slice(0, 10)}`
}

/** `2 runs failed: 1 of a known failure, 1 not known` */
export function failedWords({ runs, failed }: PullCommit): string {
  const all = runs.failure + runs.error
  if (all === 0) return 'No run failed'
  const count = (state: string) => failed.filter((run) => run.state === state).length
  const parts = [
    [count('known'), 'of a known failure'],
    [count('not'), 'not known'],
    [count('unsure'), 'undecided'],
    [failed.filter((run) => run.passedSince).length, 'passed since'],
  ] as const
  const told = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`)
  return `${all} ${all === 1 ? 'run' : 'runs'} failed (${told.join(', ')})`
}

/** `; 7 passed, 1 not ended yet` */
function othersWords({ runs }: PullCommit): string {
  const parts = [
    [runs.success, 'passed'],
    [runs.pending, 'not ended yet'],
    [runs.aborted, 'aborted'],
    [runs.lost, 'lost'],
  ] as const
  const told = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`)
  return told.length === 0 ? '' : `; ${told.join(', ')}`
}
