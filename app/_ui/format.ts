import { utcFormat } from 'd3-time-format'
import prettyBytes from 'pretty-bytes'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const clockFormat = utcFormat('%H:%M')
const secondFormat = utcFormat('%H:%M:%S')
const dayFormat = utcFormat('%-d %b %Y')

/** `14 Aug 2026`, UTC. */
export function day(at: number): string {
  return dayFormat(new Date(at))
}

/** `02:14`, UTC. */
export function clock(at: number): string {
  return clockFormat(new Date(at))
}

/** `14 Aug 2026 02:14`, UTC. */
export function moment(at: number): string {
  return `${day(at)} ${clock(at)}`
}

/** `at 02:14:03`, or `between 02:14:03 and 02:14:33`, with the days where they differ; UTC. */
export function bounds({ earliest, latest }: { readonly earliest: number; readonly latest: number }): string {
  if (day(earliest) !== day(latest)) return `between ${moment(earliest)} and ${moment(latest)}`
  const [first, last] = [secondFormat(new Date(earliest)), secondFormat(new Date(latest))]
  return first === last ? `at ${first}` : `between ${first} and ${last}`
}

/** `02:14`, with the day where it isn't that of `now`. */
export function nearMoment(at: number, now: number): string {
  return Math.floor(at / DAY) === Math.floor(now / DAY) ? clock(at) : moment(at)
}

/** `3 min`, `5 h`, `12 d`: how long before `now`, rounded down. */
export function age(at: number, now: number): string {
  const ms = Math.max(0, now - at)
  if (ms < MINUTE) return 'now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h ago`
  return `${count(Math.floor(ms / DAY))} d ago`
}

/** `12 minutes ago`, `1 hour ago`, `3 days ago`: ci-search's words, which scrapers of the search page read. */
export function ageInFull(at: number, now: number): string {
  const ms = Math.max(0, now - at)
  if (ms < HOUR) return `${counted(Math.floor(ms / MINUTE), 'minute')} ago`
  if (ms < 2 * DAY) return `${counted(Math.floor(ms / HOUR), 'hour')} ago`
  return `${counted(Math.floor(ms / DAY), 'day')} ago`
}

/** `42 s`, `12 min`, `1 h 20 min` */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.round(ms / 1000)} s`
  const minutes = Math.round(ms / MINUTE)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function count(n: number): string {
  return n.toLocaleString('en-US')
}

/** `1 run`, `1,203 runs` */
export function counted(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`
}

/** `3%`, `0.4%`: a share as people can use it; `–` of nothing. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–'
  const share = (100 * part) / whole
  return share === 0 || share >= 10 || Number.isInteger(share)
    ? `${Math.round(share)}%`
    : `${share.toPrecision(share < 1 ? 1 : 2)}%`
}

export function bytes(n: number): string {
  return prettyBytes(n, { binary: true })
}

/** Of marks too close together to be told apart; the one that is told of is the largest. */
export function moreWords(more: number): string {
  return more > 0 ? `; ${count(more)} more here` : ''
}
