import { utcFormat } from 'd3-time-format'
import type { Evidence } from '../model/evidence.ts'
import { patternWords } from '../search/meet.ts'

/** Characters of a pattern that a title has room for. */
const SUBJECT = 200

const format = utcFormat('%-d %b %Y %H:%M')

/** `3 Nov 2026 02:14 UTC` */
export function utc(at: number): string {
  return `${format(new Date(at))} UTC`
}

/** What was asked, as one word or pattern: the patterns of a search, else the signature's title, and when an incident was. */
export function subject({ content: { asked }, range }: Pick<Evidence, 'content' | 'range'>): string {
  if (asked.kind === 'signature') return asked.title
  if (asked.kind === 'incident') return `${asked.title}, ${utc(range.from)}`
  const params = new URLSearchParams(asked.search)
  const meet = (['all', 'without'] as const).find((each) => each === params.get('meet'))
  return patternWords({ patterns: params.getAll('search'), ...(meet ? { meet } : {}) })
}

/** What else narrowed a search, in its own words; empty for none. */
export function filters({ content: { asked } }: Pick<Evidence, 'content'>): string {
  if (asked.kind !== 'search') return ''
  const names = { exclude: 'not line', name: 'job', excludeName: 'not job', result: 'result', type: 'logs' }
  const params = new URLSearchParams(asked.search)
  return Object.entries(names)
    .flatMap(([name, word]) => (params.get(name) ? [`${word} ${params.getAll(name).join(' or ')}`] : []))
    .join(', ')
}

/** `13 incidents, 41 lines in 29 runs (20 failed) of 11 jobs, 17 PRs` */
export function found({ content: { asked, counts } }: Pick<Evidence, 'content'>): string {
  const { lines, runs, failedRuns, jobs, pulls, incidents, partial } = counts
  const said = asked.kind === 'signature' && incidents !== undefined ? `${counted(incidents, 'incident')}, ` : ''
  const of = `of ${counted(jobs, 'job')}${pulls > 0 ? `, ${counted(pulls, 'PR')}` : ''}`
  const least = partial ? 'at least ' : ''
  if (runs === 0) return `${said}${least}no line, in no run`
  return `${least}${said}${counted(lines, 'line')} in ${counted(runs, 'run')} (${failedRuns.toLocaleString('en-US')} failed) ${of}`
}

/** What the range is of: runs by their time, or an incident's strikes. */
export function rangeWords(evidence: Pick<Evidence, 'content' | 'range'>): string {
  return `${evidence.content.asked.kind === 'incident' ? 'struck' : 'runs of'} ${span(evidence)}`
}

/** `14 Aug 2026 00:00 to 3 Nov 2026 02:14 UTC` */
export function span({ range: { from, to } }: Pick<Evidence, 'range'>): string {
  return from <= 0 ? `up to ${utc(to)}` : `${format(new Date(from))} to ${utc(to)}`
}

/** How complete the data was, without what a reader need not mind. */
export function dataWords({ data }: Pick<Evidence, 'data'>): string {
  const reach =
    data.completeTo !== undefined
      ? `complete for runs started before ${utc(data.completeTo)}`
      : data.readTo !== undefined
        ? `read to ${utc(data.readTo)}`
        : 'not known how complete'
  const lacks = [
    ...(data.state === 'late' ? ['late'] : []),
    ...(data.truncatedLogs > 0 ? [`${counted(data.truncatedLogs, 'log')} truncated`] : []),
    ...(data.brokenLogs > 0 ? [`${counted(data.brokenLogs, 'log')} broken`] : []),
    ...data.lacking,
  ]
  return [reach, ...lacks].join(', ')
}

/** The first two lines of a page, and what a link's preview says: what was found, then when and where it was looked for. */
export function headline(evidence: Evidence): readonly [string, string] {
  const what = evidence.content.asked.kind === 'search' ? 'query' : evidence.content.asked.kind
  return [
    `${shortened(subject(evidence))}: ${found(evidence)}`,
    `Frozen ${utc(evidence.frozenAt)} by ${what}; ${rangeWords(evidence)}; data ${dataWords(evidence)}`,
  ]
}

function shortened(text: string): string {
  return text.length > SUBJECT ? `${text.slice(0, SUBJECT - 1).toWellFormed()}…` : text
}

export function counted(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`
}
