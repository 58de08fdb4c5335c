import { utcFormat } from 'd3-time-format'
import type { Interval } from '../model/incident.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A figure as people can use it: one decimal below 30, whole up to 1,000, then two digits that count. */
export function figure(value: number): string {
  if (value < 0.95) return String(Number(value.toPrecision(1)))
  if (value < 29.95) return value.toFixed(1)
  return grouped(value < 1000 ? Math.round(value) : Number(value.toPrecision(2)))
}

export function range({ low, high }: Interval): string {
  return figure(low) === figure(high) ? figure(low) : `${figure(low)}–${figure(high)}`
}

/** A mean in days with its interval, both in hours where it is shorter than a day. */
export function span(days: number, interval: Interval): { value: string; name: string; scaled: string } {
  const [scale, name] = days < 1 ? [24, 'hours'] : [1, 'days']
  return {
    value: figure(days * scale),
    name,
    scaled: range({ low: interval.low * scale, high: interval.high * scale }),
  }
}

/** A chance or share: `4.0%`, `25%`, `under 0.1%`. */
export function share(part: number): string {
  if (part > 0 && part < 0.001) return 'under 0.1%'
  return part < 0.0995 ? `${Number((part * 100).toFixed(1))}%` : `${Math.floor(part * 100)}%`
}

/** Rounded down: watched is never overstated. */
export function watchedShare(part: number): string {
  return part > 0 && part < 0.01 ? 'under 1%' : `${Math.floor(part * 100)}%`
}

/** `1 run`, `1,203 runs` */
export function count(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`
}

export function times(n: number): string {
  return n === 1 ? 'once' : n === 2 ? 'twice' : `${grouped(n)} times`
}

/** A stretch of ms in whole days, in hours below two days. */
export function stretch(ms: number): string {
  return ms < 2 * DAY ? count(Math.round(ms / HOUR), 'hour') : count(Math.round(ms / DAY), 'day')
}

/** How long ago, never rounded up. */
export function age(ms: number): string {
  if (ms < HOUR) return 'less than an hour ago'
  return `${ms < 2 * DAY ? count(Math.floor(ms / HOUR), 'hour') : count(Math.floor(ms / DAY), 'day')} ago`
}

const dayMonth = utcFormat('%-d %b')
const time = utcFormat('%H:%M')

/** `3 Nov`, with the year where it isn't the one of `now`. UTC. */
export function date(at: number, now: number): string {
  const year = new Date(at).getUTCFullYear()
  return year === new Date(now).getUTCFullYear() ? dayMonth(new Date(at)) : `${dayMonth(new Date(at))} ${year}`
}

/** `3 Nov 02:14` */
export function moment(at: number, now: number): string {
  return `${date(at, now)} ${time(new Date(at))}`
}

function grouped(n: number): string {
  return n.toLocaleString('en-US')
}
