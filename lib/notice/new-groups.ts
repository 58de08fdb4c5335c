import type { Notice } from '../model/notice.ts'

const DAY = 86_400_000
/** A failure that one run alone had is no group yet, nor is a retry of it. */
const LEAST_RUNS = 3
/** Longer than a group's history is looked at: one that is new by then is new again. */
const REMEMBERED = 120 * DAY
const MOST_TITLE = 160

export interface SeenGroup {
  readonly id: string
  readonly isNew: boolean
  readonly runs: number
  readonly jobs: readonly { readonly job: string }[]
  /** The line of its newest run. */
  readonly text: string
}

/** Groups by when they were first seen to be new, and notices of those that were not before; with `known` undefined, none. */
export function newGroups(
  known: Readonly<Record<string, number>> | undefined,
  groups: readonly SeenGroup[],
  now: number,
): { readonly groups: Readonly<Record<string, number>>; readonly notices: readonly Notice[] } {
  const remembered = Object.entries(known ?? {}).filter(([, at]) => at > now - REMEMBERED)
  const fresh = groups.filter(({ id, isNew, runs }) => isNew && runs >= LEAST_RUNS && known?.[id] === undefined)
  return {
    groups: Object.fromEntries([...remembered, ...fresh.map(({ id }) => [id, now] as const)]),
    notices: known === undefined ? [] : fresh.map((group) => noticeOf(group, now)),
  }
}

function noticeOf({ id, runs, jobs, text }: SeenGroup, now: number): Notice {
  const [first] = jobs
  const where = jobs.length === 1 ? `of ${first?.job}` : `of ${jobs.length} jobs`
  return {
    id: `group/${id}`,
    at: now,
    kind: 'group',
    group: id,
    title: `New failure that no signature knows: ${cut(text)}`,
    sentence: `${runs} runs ${where} failed with it, the first within the last 7 days.`,
    link: `/groups/${encodeURIComponent(id)}`,
  }
}

function cut(text: string): string {
  const line = text.trim()
  return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE).toWellFormed()}…` : line
}
