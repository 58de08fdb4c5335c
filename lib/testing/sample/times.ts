/** The forms in which CI logs write an instant (epoch ms, UTC), as DOMAIN's table of log time forms lists them. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const iso = (ms: number) => new Date(ms).toISOString()
const monthName = (text: string) => MONTHS[Number(text.slice(5, 7)) - 1] ?? 'Jan'
const micros = (ms: number) => `${String(ms % 1000).padStart(3, '0')}${String((ms * 7919) % 1000).padStart(3, '0')}`

/** `2021-03-18T16:30:50Z` */
export const rfc3339 = (ms: number) => `${iso(ms).slice(0, 19)}Z`

/** `2021-03-18T16:30:50.123456789Z` */
export const rfc3339Nanos = (ms: number) =>
  `${iso(ms).slice(0, 20)}${micros(ms)}${String((ms * 31) % 1000).padStart(3, '0')}Z`

/** `2021/03/18 16:30:50` */
export function goLog(ms: number): string {
  const text = iso(ms)
  return `${text.slice(0, 4)}/${text.slice(5, 7)}/${text.slice(8, 10)} ${text.slice(11, 19)}`
}

/** `0107 12:33:44.123456` */
export function klog(ms: number): string {
  const text = iso(ms)
  return `${text.slice(5, 7)}${text.slice(8, 10)} ${text.slice(11, 19)}.${micros(ms)}`
}

/** `0915 16:00:00.634`, between the stream's letter and `]` */
export function bootstrap(ms: number): string {
  const text = iso(ms)
  return `${text.slice(5, 7)}${text.slice(8, 10)} ${text.slice(11, 23)}`
}

/** `Jan  7 12:33:44.123` (e2e: day padded with a space) */
export function e2e(ms: number): string {
  const text = iso(ms)
  return `${monthName(text)} ${String(Number(text.slice(8, 10))).padStart(2, ' ')} ${text.slice(11, 23)}`
}

/** `Apr 07 13:19:49.383` (origin's monitor: day padded with a zero) */
export function monitor(ms: number): string {
  const text = iso(ms)
  return `${monthName(text)} ${text.slice(8, 10)} ${text.slice(11, 23)}`
}

/** `Aug 19 17:30:23.156577` */
export function journal(ms: number): string {
  const text = iso(ms)
  return `${monthName(text)} ${text.slice(8, 10)} ${text.slice(11, 19)}.${micros(ms)}`
}
