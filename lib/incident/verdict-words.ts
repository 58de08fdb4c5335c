import type { Cadence } from '../model/incident.ts'
import type { Verdict, VerdictState } from '../model/verdict.ts'
import { count, date, figure, share, span, stretch, times, watchedShare } from './figures.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Below this share of it watched, a rate or quiet is told with that share. */
export const WATCHED_LITTLE = 0.5

/** A state as people read it. */
export const STATE_WORDS: Readonly<Record<VerdictState, string>> = {
  back: 'back',
  rarer: 'rarer',
  active: 'active',
  unclear: 'can’t tell',
  'one-pr': 'one PR only',
  quiet: 'quiet',
  holding: 'holding',
  never: 'not seen',
}

/** What came since the change, or since it last struck, and how likely that is. Never says "fixed". */
export function verdictSentences(cadence: Cadence, verdict: Verdict, now: number): string[] {
  if (verdict.state === 'one-pr') return []
  return [
    ...hidden(cadence),
    ...sinceSentences(cadence, verdict, now),
    ...quietWithoutChange(cadence, verdict),
    ...until(cadence, verdict, now),
    ...pattern(verdict),
    ...doubts(cadence, verdict, now),
  ]
}

/** The same in a few words for a line of a table; nothing where there is nothing to add to the rate. */
export function verdictLine(cadence: Cadence, verdict: Verdict, now: number): string[] {
  const { after } = cadence
  if (verdict.state === 'unclear') return [`can’t tell: ${unclearWords(verdict)}`]
  if (after && cadence.since.length > 0) return [seenAgain(cadence, verdict, now)]
  if (after) {
    const { chance } = verdict
    return [noneSince(cadence), ...(chance === undefined ? [] : [`unchanged, a quiet this long: ${oneIn(chance)}`])]
  }
  return verdict.state === 'quiet' && verdict.quietDays !== undefined
    ? [`quiet for ${stretch(verdict.quietDays * DAY)}, by chance: ${oneIn(verdict.chance ?? 1)}`]
    : []
}

/** `1 in 125`; a chance that is no longer small as `60%`. */
function oneIn(chance: number): string {
  if (chance > 0.2) return share(chance)
  return chance < 0.001 ? 'under 1 in 1,000' : `1 in ${Math.floor(1 / chance)}`
}

function hidden({ group }: Cadence): string[] {
  if (!group) return []
  const late = group.countsFrom - group.to
  const several =
    group.changes.length > 1
      ? [
          `${group.changes.length} changes in ${stretch(group.to - group.from)} can’t be told apart: one verdict for all.`,
        ]
      : []
  if (late < DAY) return several
  return [
    ...several,
    `The change was added ${stretch(late)} later, when what followed could be seen: no chance is given for that time.`,
  ]
}

/** What came since the change judged; nothing where none is. */
export function sinceSentences(cadence: Cadence, verdict: Verdict, now: number): string[] {
  const { after, group } = cadence
  if (!after || !group) return []
  const change = group.changes.length > 1 ? 'changes' : 'change'
  if (verdict.withheld === 'nothing before') return [`Nothing struck before the ${change}: no verdict on it.`]
  if (cadence.since.length > 0)
    return [`Since the ${change}: ${seenAgain(cadence, verdict, now)}${ifUnchanged(verdict)}.`]
  if (verdict.state === 'unclear') return [`Can’t tell since the ${change}: ${unclearWords(verdict)}.`]
  const words = noneSince(cadence)
  return [`${words[0]?.toUpperCase()}${words.slice(1)} the ${change}${ifUnchanged(verdict)}.`]
}

function ifUnchanged({ chance }: Verdict): string {
  return chance === undefined ? '' : ` (chance if nothing had changed: ${share(chance)})`
}

/** `seen again once, 3 Nov, where about 8 were expected` */
function seenAgain({ since: struck, after, unit }: Cadence, { expected }: Verdict, now: number): string {
  const when = struck.length === 1 ? 'once,' : `${times(struck.length)}, last on`
  const runs = unit === 'runs' && after ? `, in ${after.incidents} of ${count(after.exposedRuns, 'run')}` : ''
  const than =
    expected === undefined
      ? ''
      : `, where about ${rounded(expected)} ${rounded(expected) === '1' ? 'was' : 'were'} expected`
  return `seen again ${when} ${date(struck.at(-1) ?? 0, now)}${runs}${than}`
}

function rounded(expected: number): string {
  return expected < 1 ? figure(expected) : Math.round(expected).toLocaleString('en-US')
}

/** `none in the 22 days since` */
function noneSince({ after, group, unit }: Cadence): string {
  if (!after || !group) return ''
  if (after.exposedRuns === 0 && after.watchedHours === 0) return 'no run could have shown it since'
  if (unit === 'runs') return `none in the ${count(after.exposedRuns, 'run')} since`
  const lasted = after.to - group.countsFrom
  const part = (after.watchedHours * HOUR) / lasted
  const little = part < WATCHED_LITTLE ? ` (watched ${watchedShare(part)} of the time)` : ''
  return `none in the ${stretch(lasted)}${little} since`
}

/** Worth a word once it lasts longer than most gaps would. */
const LONG = 1 / Math.E

function quietWithoutChange({ after, unit, quiet }: Cadence, verdict: Verdict): string[] {
  const { chance, quietDays = 0, longestGap, state } = verdict
  if (after || !quiet) return []
  if (state === 'unclear') return [`Can’t tell since: ${unclearWords(verdict)}.`]
  if (chance === undefined || chance > LONG) return []
  const within = unit === 'runs' ? `${count(quiet.exposedRuns, 'run')}` : stretch(quietDays * DAY)
  const longest = longestGap === undefined ? '' : `, the longest gap before was ${figure(longestGap)} d`
  return [`Quiet for ${within}${longest}: such a quiet by chance: ${share(chance)}; no change is known.`]
}

function until({ unit, after }: Cadence, { allows, chance, tellsAt, threshold }: Verdict, now: number): string[] {
  if (chance === undefined || allows === undefined || (!after && chance > LONG)) return []
  const every = unit === 'runs' ? `1 in ${figure(allows)} runs` : `one every ${inDays(allows)}`
  return [...(chance > LONG ? [] : [`It still allows ${every} (95%).`]), ...telling(tellsAt, threshold, now)]
}

function inDays(days: number): string {
  const { value, name } = span(days, { low: days, high: days })
  return `${value} ${name}`
}

function telling(tellsAt: Verdict['tellsAt'], threshold: number | undefined, now: number): string[] {
  if (tellsAt === undefined || threshold === undefined) return []
  if (tellsAt === 'beyond')
    return [`That can’t be shown within a year: quiet would not bring it to ${share(threshold)}.`]
  return [`Quiet until ${date(tellsAt, now)} would bring it to ${share(threshold)}.`]
}

function pattern({ regularity, overdue, withheld }: Verdict): string[] {
  if (withheld === 'bursty') return ['Gaps so far are bursty: no chance is given.']
  if (regularity !== 'regular') return []
  return overdue === undefined
    ? ['Gaps so far are regular.']
    : [`Gaps so far are regular: one as long as now has by them a chance of ${share(overdue)}.`]
}

function doubts({ later }: Cadence, { jobMix, unsteady = [] }: Verdict, now: number): string[] {
  return [
    ...(later ?? []).map(
      ({ title, at }) => `Of the later change “${title}” (${date(at, now)}) nothing can be told: none struck between.`,
    ),
    ...(jobMix === undefined
      ? []
      : [`The job mix changed: runs since then count ${figure(jobMix)} times, by how often each job was hit before.`]),
    ...unsteady.map(
      ({ window, state }) =>
        `Not steady: with hits joined within ${window === 'half' ? 'half' : 'twice'} the window it would be “${STATE_WORDS[state]}”.`,
    ),
  ]
}

function unclearWords({ unclear }: Verdict): string {
  return unclear === 'witness' ? 'the line that would show it is no longer written' : 'no run could have shown it'
}
