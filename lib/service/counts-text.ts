import type { SearchCounts } from './search-stream.ts'

/** What was counted, as a terminal shows it: in all, by pattern where there are several, by job, by day. */
export function countsLines({ runs, failedRuns, lines, linesOf, patterns, byJob, days }: SearchCounts): string[] {
  return [
    `${counted(lines, 'line')} in ${counted(runs, 'run')}, ${failedRuns} of them failed`,
    ...(patterns.length > 1
      ? patterns.map(
          (each, at) =>
            `  ${counted(linesOf[at] ?? 0, 'line')} in ${counted(each.runs, 'run')}, ${each.failedRuns} failed: ${each.pattern}`,
        )
      : []),
    ...byJob.map(
      (each) =>
        `  ${counted(each.lines, 'line')} in ${counted(each.runs, 'run')}, ${each.failedRuns} failed: ${each.job}`,
    ),
    ...days.map((each) => `  ${counted(each.runs, 'run')}, ${each.failedRuns} failed: ${each.day}`),
  ]
}

export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
