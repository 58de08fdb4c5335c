/** What a process counts since it began: what it means, and which labels tell its kinds apart. */
export const COUNTED = {
  faults: 'Answers that told a coded error, by code',
  answers_lacking: 'Searches and counts that lacked something, by what: a deadline, bytes, a limit, text that is gone',
  patterns_ended: 'Threads that were ended since a pattern came to no end',
  kept_answers: 'Answers asked of a cache, by cache and whether it had one',
  searches_waited: 'Searches that waited for their turn, by how that ended',
  store_retries: 'Requests to Elasticsearch that were sent again',
} as const
export type Counted = keyof typeof COUNTED

export interface Count {
  readonly name: Counted
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Next bundles this module several times over; the process still counts once. Threads count for themselves. */
const shared: typeof globalThis & { prowlCounts?: Map<string, Count> } = globalThis

/** Labels are few and known: never what a reader typed. */
export function count(name: Counted, labels: Readonly<Record<string, string>> = {}): void {
  shared.prowlCounts ??= new Map()
  const key = JSON.stringify([name, labels])
  const value = (shared.prowlCounts.get(key)?.value ?? 0) + 1
  shared.prowlCounts.set(key, { name, labels, value })
}

export function counts(): readonly Count[] {
  return [...(shared.prowlCounts?.values() ?? [])]
}
