import type { Cadence } from '../model/incident.ts'
import { age, count, date, figure, moment, range, span, stretch, times } from './figures.ts'

const HOUR = 3_600_000
/** Below this share of the window watched, the sentences say so. */
const WATCHED_WELL = 0.95

/**
 * A cadence in sentences, the answer first. `now` (epoch ms) gives ages and leaves the current year out of dates.
 * Never says "fixed": quiet is a fact, its cause is not.
 */
export function cadenceSentences(cadence: Cadence, now: number): string[] {
  if (exposureOf(cadence) === 0 && cadence.incidents === 0) return [NOT_WATCHED, ...lastSentence(cadence, now)]
  return [
    beforeSentence(cadence, now),
    ...sinceSentence(cadence, now),
    ...lastSentence(cadence, now),
    ...excludedSentence(cadence),
  ]
}

/** A cadence in one line of a table: `on average every 5.2 days (95%: 3.0–10.0), 12 incidents`. */
export function cadenceLine(cadence: Cadence, now: number): string {
  if (exposureOf(cadence) === 0 && cadence.incidents === 0)
    return onePrOnly(cadence) ?? 'no run could have shown it yet'
  const since = cadence.change && sinceWords(cadence, now)
  const before = cadence.change ? `before ${date(cadence.change.at, now)}: ` : ''
  return [`${before}${rateLine(cadence)}`, ...(since ? [since] : [])].join('; ')
}

const NOT_WATCHED = 'No run that could have shown it has been read.'

function rateLine(cadence: Cadence): string {
  const { mean, incidents, unit, exposedRuns } = cadence
  if (mean === undefined) return onePrOnly(cadence) ?? `none in ${exposure(cadence)}: ${atMost(cadence)}`
  if (cadence.continuous) return `continuous, ${count(cadence.runsHit, 'run')} hit in ${exposure(cadence)}`
  if (unit === 'runs') {
    return `1 in ${figure(mean)} runs (95%: ${range(cadence.interval)}), ${incidents} of ${count(exposedRuns, 'run')}`
  }
  const { value, name, scaled } = span(mean, cadence.interval)
  return `on average every ${value} ${watched(cadence)}${name} (95%: ${scaled}), ${count(incidents, 'incident')}`
}

function beforeSentence(cadence: Cadence, now: number): string {
  const window = `in the ${stretch(cadence.to - cadence.from)} ${cadence.change ? 'before' : 'to'} ${date(cadence.to, now)}${watchedShare(cadence)}`
  const { mean, incidents, interval, unit } = cadence
  if (cadence.continuous) {
    const perDay = figure(cadence.runsHit / (cadence.watchedHours / 24))
    return `Continuous: ${count(cadence.runsHit, 'run')} hit ${window}, ${perDay} a day; too close together to tell incidents apart.`
  }
  if (mean === undefined) return `None ${window}: ${atMost(cadence)} (95%).`
  if (unit === 'runs') {
    return `Hit ${incidents} of ${count(cadence.exposedRuns, 'run')} that could have shown it ${window}: 1 in ${figure(mean)} (true average 1 in ${range(interval)} at 95%).`
  }
  const { value, name, scaled } = span(mean, interval)
  return `Struck ${times(incidents)} ${window}, on average every ${value} ${watched(cadence)}${name} (true average ${scaled} at 95%${gaps(cadence)}).`
}

function gaps({ gaps }: Cadence): string {
  if (gaps.length === 0) return ''
  if (gaps.length === 1) return `; gap ${figure(Math.max(...gaps))} d`
  return `; gaps ${range({ low: Math.min(...gaps), high: Math.max(...gaps) })} d`
}

function sinceSentence(cadence: Cadence, now: number): string[] {
  const words = cadence.change && sinceWords(cadence, now)
  if (!words) return []
  return cadence.since.length > 0
    ? [`Since the change: ${words}.`]
    : [`${words[0]?.toUpperCase()}${words.slice(1)} the change.`]
}

/** `seen again once, 3 Nov`, or `none in the 22 days since`. */
function sinceWords(cadence: Cadence, now: number): string | undefined {
  const { after, change, since, unit } = cadence
  if (!after || !change) return undefined
  const last = since.at(-1)
  if (last !== undefined) {
    const again =
      since.length === 1
        ? `seen again once, ${date(last, now)}`
        : `seen again ${times(since.length)}, last on ${date(last, now)}`
    return unit === 'runs' ? `${again}, ${after.incidents} of ${count(after.exposedRuns, 'run')}` : again
  }
  if (unit === 'runs') return `none in the ${count(after.exposedRuns, 'run')} since`
  const share = (after.watchedHours * HOUR) / (after.to - change.at)
  return `none in the ${stretch(after.to - change.at)}${share < WATCHED_WELL ? ` (watched ${percent(share)} of the time)` : ''} since`
}

function lastSentence({ last }: Cadence, now: number): string[] {
  if (last === undefined) return []
  return [`Last struck ${moment(last, now)} UTC, ${age(now - last)}.`]
}

function excludedSentence({ excluded }: Cadence): string[] {
  if (excluded === 0) return []
  const what =
    excluded === 1
      ? '1 incident struck one PR or run only and is'
      : `${excluded} incidents struck one PR or run only each and are`
  return [`${what} not counted.`]
}

function onePrOnly({ excluded }: Cadence): string | undefined {
  return excluded > 0 ? `one PR only, ${count(excluded, 'incident')}` : undefined
}

function atMost({ unit, interval }: Cadence): string {
  return unit === 'runs' ? `at most 1 in ${figure(interval.low)}` : `at most one every ${figure(interval.low)} days`
}

function exposure(cadence: Cadence): string {
  return cadence.unit === 'runs' ? count(cadence.exposedRuns, 'run') : `${stretch(cadence.watchedHours * HOUR)}`
}

function exposureOf(cadence: Cadence): number {
  return cadence.unit === 'runs' ? cadence.exposedRuns : cadence.watchedHours
}

function shareWatched({ from, to, watchedHours }: Cadence): number {
  return (watchedHours * HOUR) / (to - from)
}

/** The rate is over days watched: said where these are not nearly all days. */
function watched(cadence: Cadence): string {
  return shareWatched(cadence) < WATCHED_WELL ? 'watched ' : ''
}

function watchedShare(cadence: Cadence): string {
  if (cadence.unit === 'runs' || !watched(cadence)) return ''
  return ` (watched ${percent(shareWatched(cadence))} of the time)`
}

function percent(share: number): string {
  return `${Math.floor(share * 100)}%`
}
