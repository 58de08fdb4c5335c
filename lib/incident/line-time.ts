/** The forms in which log lines carry times (the table of docs/signatures.md). */
export type TimeForm =
  | 'go'
  | 'logrus'
  | 'bracketed'
  | 'json'
  | 'rfc3339'
  | 'bootstrap'
  | 'klog'
  | 'syslog'
  | 'clock'
  | 'elapsed'
  | 'compact'
  | 'ctime'

/** What a time on a line says by itself; ms throughout, UTC where the form has no zone. */
export type ReadTime =
  | { readonly kind: 'instant'; readonly ms: number }
  /** `month` 1–12. */
  | { readonly kind: 'yearless'; readonly month: number; readonly day: number; readonly msOfDay: number }
  | { readonly kind: 'time-of-day'; readonly msOfDay: number }
  | { readonly kind: 'since-start'; readonly ms: number }

export interface LineTime {
  readonly form: TimeForm
  /** Where it stands in the line, in UTF-16 units; 0 for a JSON record's own time, which may stand anywhere in it. */
  readonly at: number
  readonly time: ReadTime
}

/** Times stand in a line's headers; what comes later is taken for data. */
const HEAD = 512

const RFC3339 = String.raw`(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)`
const HMS = String.raw`(\d\d):(\d\d):(\d\d)(\.\d{1,9})?`
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH = `(${MONTHS.join('|')})`

interface Form {
  readonly form: TimeForm
  readonly pattern: RegExp
  readonly read: (groups: readonly string[]) => ReadTime | undefined
}

/** Each pattern holds only fixed or bounded counts: reading stays linear on any line. */
const FORMS: readonly Form[] = [
  {
    form: 'go',
    pattern: new RegExp(String.raw`(?<![\d/])(\d{4})/(\d\d)/(\d\d) ${HMS}`, 'g'),
    read: ([year, month, day, ...hms]) => instant(year, month, day, timeOfDay(hms)),
  },
  { form: 'logrus', pattern: new RegExp(`\\btime="?${RFC3339}`, 'g'), read: ([text]) => parsed(text) },
  { form: 'bracketed', pattern: new RegExp(`\\[${RFC3339}\\]`, 'g'), read: ([text]) => parsed(text) },
  { form: 'rfc3339', pattern: new RegExp(`^${RFC3339}(?![\\w:])`, 'g'), read: ([text]) => parsed(text) },
  {
    form: 'bootstrap',
    pattern: new RegExp(String.raw`^[A-Z](\d\d)(\d\d) ${HMS}\](?: |$)`, 'g'),
    read: ([month, day, ...hms]) => yearless(Number(month), day, hms),
  },
  {
    form: 'klog',
    pattern: /(?<![A-Za-z0-9])[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)(\.\d{6})(?!\d)/g,
    read: ([month, day, ...hms]) => yearless(Number(month), day, hms),
  },
  {
    form: 'syslog',
    pattern: new RegExp(String.raw`(?<![A-Za-z])${MONTH} {1,2}(\d{1,2}) ${HMS}(?![.:\d]*\d| \d{4}\])`, 'g'),
    read: ([month, day, ...hms]) => yearless(MONTHS.indexOf(month ?? '') + 1, day, hms),
  },
  {
    form: 'clock',
    pattern: new RegExp(`^${HMS}: `, 'g'),
    read: (hms) => {
      const msOfDay = timeOfDay(hms)
      return msOfDay === undefined ? undefined : { kind: 'time-of-day', msOfDay }
    },
  },
  {
    form: 'elapsed',
    pattern: /^\[ {0,20}(\d{1,7}(?:\.\d{1,9})?)s\]/g,
    read: ([seconds]) => ({ kind: 'since-start', ms: Math.round(Number(seconds) * 1000) }),
  },
  {
    form: 'compact',
    pattern: /^(\d\d)(\d\d)(\d\d) (\d\d)(\d\d)(\d\d) /g,
    read: ([year, month, day, ...hms]) => instant(`20${year}`, month, day, timeOfDay(hms)),
  },
  {
    form: 'ctime',
    pattern: new RegExp(String.raw`\[[A-Z][a-z]{2} ${MONTH} {1,2}(\d{1,2}) ${HMS} (\d{4})\]`, 'g'),
    read: ([month, day, h, m, s, fraction, year]) =>
      instant(year, String(MONTHS.indexOf(month ?? '') + 1), day, timeOfDay([h, m, s, fraction])),
  },
]

const JSON_TIME = new RegExp(`"time" ?: ?"${RFC3339}"`)

/** True of every text that holds a time `lineTimes` could find: a cheap test before looking line by line. */
export function mayHoldTimes(text: string): boolean {
  return /\d\d:\d\d:\d\d|\ds\]|\d{6} \d{6} /.test(text)
}

/** Every time in the headers of a line's match text, outermost first: the last is the innermost. */
export function lineTimes(line: string): LineTime[] {
  const head = line.slice(0, HEAD)
  const found: LineTime[] = []
  const own = line.startsWith('{') ? JSON_TIME.exec(line) : null
  const time = own && parsed(own[1])
  if (time) found.push({ form: 'json', at: 0, time })
  if (!mayHoldTimes(head)) return found
  for (const { form, pattern, read } of FORMS) {
    for (const match of head.matchAll(pattern)) {
      const time = read(match.slice(1))
      if (time) found.push({ form, at: match.index, time })
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

/** Epoch ms of an RFC 3339 time, UTC where it names no zone; undefined if it is none. */
export function parseRfc3339(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:Z|([+-])(\d\d):?(\d\d))?$/.exec(text)
  if (!match) return undefined
  const [year, month, day, hours, minutes, seconds, fraction, sign, zoneHours, zoneMinutes] = match.slice(1)
  const local = instant(year, month, day, timeOfDay([hours, minutes, seconds, fraction]))
  if (local === undefined) return undefined
  const zone = sign ? (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 : 0
  return sign === '-' ? local.ms + zone : local.ms - zone
}

/** Epoch ms of a day of the proleptic Gregorian calendar; undefined for one it does not have. */
export function dayStart(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day)
  const date = new Date(ms)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined
}

type Text = string | undefined

function parsed(text: Text): ReadTime | undefined {
  const ms = parseRfc3339(text ?? '')
  return ms === undefined ? undefined : { kind: 'instant', ms }
}

function instant(year: Text, month: Text, day: Text, msOfDay: number | undefined) {
  const start = dayStart(Number(year), Number(month), Number(day))
  if (start === undefined || msOfDay === undefined) return undefined
  return { kind: 'instant', ms: start + msOfDay } as const
}

function yearless(month: number, day: Text, hms: readonly Text[]): ReadTime | undefined {
  const msOfDay = timeOfDay(hms)
  // 2000 was a leap year: it has every day that some year has.
  if (msOfDay === undefined || dayStart(2000, month, Number(day)) === undefined) return undefined
  return { kind: 'yearless', month, day: Number(day), msOfDay }
}

/** ms since midnight; a leap second (`:60`) is allowed. */
function timeOfDay([hours, minutes, seconds, fraction]: readonly Text[]): number | undefined {
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)]
  if (!(h < 24 && m < 60 && s <= 60)) return undefined
  return ((h * 60 + m) * 60 + s) * 1000 + Math.floor(Number(`0${fraction ?? ''}`) * 1000 + 1e-6)
}
