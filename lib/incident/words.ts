import type { Cadence } from '../model/incident.ts'
import type { Verdict } from '../model/verdict.ts'
import { capital } from '../text/capital.ts'
import { age, count, date, figure, moment, range, span, stretch, times, watchedShare } from './figures.ts'
import { verdictLine, verdictSentences, WATCHED_LITTLE } from './verdict-words.ts'

const HOUR = 3_600_000
/** Below this share of a window watched the sentences say so. */
const WATCHED_WELL = 0.95

/**
 * A cadence in sentences, the answer first. `now` (epoch ms) gives ages and leaves the current year out of dates.
 * Never says "fixed": quiet is a fact, its cause is not.
 */
export function cadenceSentences(cadence: Cadence, verdict: Verdict, now: number): string[] {
  if (isOnePrOnly(cadence)) return [`${capital(onePrOnly(cadence))}: nothing to tell a rate from.`]
  return [
    exposed(cadence) ? beforeSentence(cadence, now) : 'No run that could have shown it has been read.',
    ...verdictSentences(cadence, verdict, now),
    ...lastSentence(cadence, now),
    ...watchedSentence(cadence),
    ...excludedSentence(cadence),
  ]
}

/** A cadence in one line of a table: `on average every 5.2 days (95%: 3.0–10.0), 12 incidents`. */
export function cadenceLine(cadence: Cadence, verdict: Verdict, now: number): string {
  if (isOnePrOnly(cadence)) return onePrOnly(cadence)
  if (!exposed(cadence)) return 'no run could have shown it yet'
  const before = cadence.group ? `before ${date(cadence.group.from, now)}: ` : ''
  return [`${before}${rateLine(cadence)}`, ...verdictLine(cadence, verdict, now)].join('; ')
}

function rateLine(cadence: Cadence): string {
  const { mean, interval, incidents, unit, exposedRuns, continuous } = cadence
  const share = shareWatched(cadence)
  const watched = share < WATCHED_LITTLE ? `, watched ${watchedShare(share)} of the time` : ''
  if (continuous) return `continuous, ${count(cadence.runsHit, 'run')} hit in ${window(cadence)}`
  if (mean === undefined) return `none in ${exposure(cadence)}: ${atMost(cadence)}${watched}`
  if (unit === 'runs')
    return `1 in ${figure(mean)} runs (95%: ${range(interval)}), ${incidents} of ${count(exposedRuns, 'run')}`
  const { value, name, scaled } = span(mean, interval)
  return `on average every ${value} ${name} (95%: ${scaled}), ${count(incidents, 'incident')}${watched}`
}

function beforeSentence(cadence: Cadence, now: number): string {
  const { mean, incidents, interval, unit, group, to, from } = cadence
  const within = `in the ${window(cadence)} ${group ? 'before' : 'to'} ${date(to, now)}`
  if (cadence.continuous) {
    const perDay = figure((cadence.runsHit * 24 * HOUR) / (to - from))
    return `Continuous: ${count(cadence.runsHit, 'run')} hit ${within}, ${perDay} a day, too close together to tell incidents apart.`
  }
  if (unit === 'runs') {
    const of = `of ${count(cadence.exposedRuns, 'run')} that could have shown it ${within}`
    if (mean === undefined) return `None ${of}: ${atMost(cadence)} (95%).`
    return `Hit ${incidents} ${of}: 1 in ${figure(mean)} (true average 1 in ${range(interval)} at 95%).`
  }
  if (mean === undefined) return `None ${within}: ${atMost(cadence)} (95%).`
  const { value, name, scaled } = span(mean, interval)
  return `Struck ${times(incidents)} ${within}, on average every ${value} ${name} (true average ${scaled} at 95%${gaps(cadence)}).`
}

function gaps({ gaps }: Cadence): string {
  if (gaps.length === 0) return ''
  const extent = range({ low: Math.min(...gaps), high: Math.max(...gaps) })
  return `; ${gaps.length === 1 ? 'gap' : 'gaps'} ${extent} d`
}

function lastSentence({ last }: Cadence, now: number): string[] {
  return last === undefined ? [] : [`Last struck ${moment(last, now)} UTC, ${age(now - last)}.`]
}

function watchedSentence(cadence: Cadence): string[] {
  const share = shareWatched(cadence)
  if (cadence.unit === 'runs' || !exposed(cadence) || share >= WATCHED_WELL) return []
  const window = cadence.group ? ' before the change' : ''
  return [`A run could have shown it ${watchedShare(share)} of the time${window}; what struck no run is not counted.`]
}

function excludedSentence({ excluded }: Cadence): string[] {
  if (excluded === 0) return []
  return [
    excluded === 1
      ? '1 incident struck one PR or run only and is not counted.'
      : `${count(excluded, 'incident')} struck one PR or run only each and are not counted.`,
  ]
}

/** Everything found had one vote. */
function isOnePrOnly({ incidents, since, excluded }: Cadence): boolean {
  return incidents === 0 && since.length === 0 && excluded > 0
}

function onePrOnly({ unit, runsHit, excluded }: Cadence): string {
  return `one PR only, ${unit === 'runs' ? count(runsHit, 'run') : count(excluded, 'incident')}`
}

function atMost({ unit, interval }: Cadence): string {
  if (unit === 'runs') return `at most 1 in ${figure(interval.low)}`
  const { value, name } = span(interval.low, interval)
  return `at most one every ${value} ${name}`
}

function window({ from, to }: Cadence): string {
  return stretch(to - from)
}

function exposure(cadence: Cadence): string {
  return cadence.unit === 'runs' ? count(cadence.exposedRuns, 'run') : window(cadence)
}

function exposed({ unit, exposedRuns, watchedHours }: Cadence): boolean {
  return (unit === 'runs' ? exposedRuns : watchedHours) > 0
}

function shareWatched({ unit, from, to, watchedHours }: Cadence): number {
  return unit === 'runs' || to === from ? 1 : (watchedHours * HOUR) / (to - from)
}
