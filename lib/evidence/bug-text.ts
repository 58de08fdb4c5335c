import type { Evidence, EvidenceLine } from '../model/evidence.ts'
import { capital } from '../text/capital.ts'
import { dataWords, filters, found, rangeWords, subject, utc } from './words.ts'

/** `markdown` as GitHub reads it, `jira` wiki text, `plain` for Bugzilla. */
export const BUG_FORMATS = ['markdown', 'jira', 'plain'] as const
export type BugFormat = (typeof BUG_FORMATS)[number]

/** In UTF-16 units, as trackers count. */
const MOST = 1499
/** Code points of one line, and of what was asked. */
const LINE = 220
const ASKED = 260
const LINES = 6

export interface BugTextOptions {
  readonly format: BugFormat
  /** The evidence's address, absolute. */
  readonly link: string
  /** Units of the text at most: an address that holds it may be shorter. */
  readonly most?: number
}

/**
 * What to paste into a bug: what was found, how complete the data was, the first lines, and the link, alone on the last
 * line. Whatever came from logs or people stands in one preformatted block that it can't end; outside are only words of
 * ours. No ages: it is read years later.
 */
export function bugText(evidence: Evidence, { format, link, most = MOST }: BugTextOptions): string {
  const head = `Frozen ${utc(evidence.frozenAt)}: ${found(evidence)}.\n${capital(rangeWords(evidence))}; data ${dataWords(evidence)}.`
  const address = { markdown: `<${safe(link)}>`, jira: `[${safe(link)}]`, plain: safe(link) }[format]
  const whole = (body: readonly string[]) => [head, block(body, format), address].join('\n\n')
  const asked = [cut(`${subject(evidence)}${filters(evidence) && ` (${filters(evidence)})`}`, ASKED), ...ends(evidence)]
  let body = asked
  for (const each of evidence.content.lines.slice(0, LINES)) {
    const longer = [...body, ...told(evidence, each)]
    if (whole(longer).length > most) break
    body = longer
  }
  const text = whole(body)
  return text.length <= most ? text : [head.slice(0, Math.max(0, most - address.length - 2)), address].join('\n\n')
}

/** What became of an incident's runs, as its page said. */
function ends({ content, sentences }: Evidence): string[] {
  return content.asked.kind === 'incident' ? sentences.slice(0, 2).map((sentence) => cut(sentence, ASKED)) : []
}

/** A bug's title: one line, 120 characters. */
export function bugTitle(evidence: Evidence): string {
  const [first] = evidence.content.lines
  const what = evidence.content.asked.kind === 'search' && first ? first.text : subject(evidence)
  return cut(what, 120)
}

function told(evidence: Evidence, { bucket, path, log, line, text, placed }: EvidenceLine): string[] {
  const run = evidence.content.runs.find((each) => each.bucket === bucket && each.path === path)
  const at = placed ? utc(placed.earliest) : run ? utc(run.time) : ''
  const where = [run ? `${run.job} ${run.buildId}` : path, `${log}:${line}`, run?.result ?? '', at]
  return ['', cut(where.filter(Boolean).join(', '), LINE), `  ${cut(text, LINE)}`]
}

function block(lines: readonly string[], format: BugFormat): string {
  const text = lines.join('\n')
  if (format === 'plain') return lines.map((line) => `  ${line}`.trimEnd()).join('\n')
  // Within the macro nothing is read but its end.
  if (format === 'jira') return `{noformat}\n${text.replace(/\{(?=\s*noformat)/gi, '{ ')}\n{noformat}`
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}text\n${text}\n${fence}`
}

/**
 * One line, cut at a whole character. Controls are gone, and so is what would turn the order of the text round it; runs of
 * backticks are cut at eight, since a longer fence would eat the room.
 */
function cut(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/`{9,}/g, '````````')
    .trim()
  const points = Array.from(line)
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : line
}

/** Nothing in an address that ends a link in any of the formats. */
function safe(link: string): string {
  return link.replace(
    /[\s()<>[\]{}|"'`\\]/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}
