import { compareKeys } from '../order.ts'
import type { CandidateFilter, OrderKey } from '../store.ts'
import type { Database } from './database.ts'
import { afterRun, and, type Clause, clause, oneOf, runClause } from './filter.ts'
import type { Found } from './grams/gram-index.ts'
import type { Opened } from './opened.ts'
import { type BlockRow, TEXT_COLUMNS, type TextRow } from './rows.ts'

const TEXTS_AT_ONCE = 200
/** Runs published while a page is read may make it look again, so often at most. */
const RETRIES = 3

/** A log's text, with what is known of its blocks. */
export interface LocatedText extends TextRow {
  /** The blocks to look at, in order, where they are known already. */
  readonly blocks?: readonly BlockRow[]
  /** What the plan leaves of its day file; undefined without a plan. */
  readonly found?: Found
}

interface FileSpan {
  readonly file: number
  readonly oldest: number
  readonly newest: number
}

/**
 * The texts of the filter, in the total order: from the log that `after` names a line of, or after the one that it names
 * whole. A day file is looked at only when the order comes to its runs, as few of them as the plan leaves.
 */
export function* textsInOrder(
  opened: Opened,
  filter: CandidateFilter,
  after: OrderKey | undefined,
): Generator<LocatedText> {
  const waiting = spansOf(opened.catalogue, filter, after)
  const heads: { text: LocatedText; readonly rest: Generator<LocatedText> }[] = []
  for (;;) {
    const head = heads.sort((a, b) => compareKeys(a.text, b.text))[0]
    const [next] = waiting
    if (next && (!head || next.newest >= head.text.time)) {
      waiting.shift()
      const rest = textsOfFile(opened, filter, next.file, after)
      const first = rest.next()
      if (!first.done) heads.push({ text: first.value, rest })
      continue
    }
    if (!head) return
    yield head.text
    const following = head.rest.next()
    if (following.done) heads.shift()
    else head.text = following.value
  }
}

/** Day files with runs in the range, by their newest run. */
function spansOf(catalogue: Database, { from, to }: CandidateFilter, after: OrderKey | undefined): FileSpan[] {
  const span = (which: 'min' | 'max') => `(SELECT ${which}(r.time) FROM runs r WHERE r.file = f.id)`
  return catalogue
    .all<FileSpan>(
      `SELECT * FROM (SELECT f.id AS file, ${span('min')} AS oldest, ${span('max')} AS newest FROM files f)
        WHERE newest >= ? AND oldest < ? AND oldest <= ? ORDER BY newest DESC`,
      from ?? 0,
      to ?? Number.MAX_SAFE_INTEGER,
      after?.time ?? Number.MAX_SAFE_INTEGER,
    )
    .map((row) => ({ ...row }))
}

/**
 * What a plan leaves is looked up first, and the catalogue read after it: so each text that the catalogue names was in
 * the file, or has come since and is let through. Texts that were looked up themselves may have been replaced since, so
 * that way is taken only where the catalogue is still what it was.
 */
function* textsOfFile(
  opened: Opened,
  filter: CandidateFilter,
  file: number,
  after: OrderKey | undefined,
): Generator<LocatedText> {
  const { catalogue, index } = opened
  for (let i = 0; filter.plan && i < RETRIES; i++) {
    const version = catalogue.pragma('data_version')
    const found = index.find(file, filter.plan)
    if (!found?.texts) break
    const texts = foundTexts(catalogue, filter, file, after, found)
    if (catalogue.pragma('data_version') !== version) continue
    yield* texts
    return
  }
  const found = filter.plan && index.find(file, filter.plan)
  for (let key = after; ; ) {
    const texts = listTexts(catalogue, filter, file, key)
    for (const text of texts) yield found ? { ...text, found } : text
    const last = texts.at(-1)
    if (!last || texts.length < TEXTS_AT_ONCE) return
    key = { time: last.time, bucket: last.bucket, path: last.path, log: last.log }
  }
}

function listTexts(catalogue: Database, filter: CandidateFilter, file: number, after: OrderKey | undefined): TextRow[] {
  // Where few runs are left anyhow, the order comes from their own index, not from the file's.
  const fewRuns = filter.jobs?.length === 1 || filter.buildId !== undefined || filter.pull !== undefined
  const { sql, params } = and([clause(`${fewRuns ? '+' : ''}r.file = ?`, file), textClause(filter, after)])
  return catalogue.all<TextRow>(
    `SELECT ${TEXT_COLUMNS} FROM runs r CROSS JOIN logs l ON l.run = r.id WHERE ${sql}
      ORDER BY r.time DESC, r.bucket, r.path, l.name LIMIT ${TEXTS_AT_ONCE}`,
    ...params,
  )
}

/** Those of the texts found that the catalogue names and the filter leaves. */
function foundTexts(
  catalogue: Database,
  filter: CandidateFilter,
  file: number,
  after: OrderKey | undefined,
  { texts = [] }: Found,
): LocatedText[] {
  if (texts.length === 0) return []
  const { sql, params } = textClause(filter, after)
  const blocks = new Map(texts.map((text) => [text.text, text.blocks]))
  return catalogue
    .all<TextRow>(
      `SELECT ${TEXT_COLUMNS} FROM json_each(?) t
        CROSS JOIN runs r ON r.bucket = t.value ->> 0 AND r.path = t.value ->> 1
        CROSS JOIN logs l ON l.run = r.id AND l.name = t.value ->> 2
        WHERE r.file = ? AND l.text = t.value ->> 3 AND ${sql} ORDER BY r.time DESC, r.bucket, r.path, l.name`,
      JSON.stringify(texts.map(({ bucket, path, log, text }) => [bucket, path, log, text])),
      file,
      ...params,
    )
    .map((row) => ({ ...row, blocks: blocks.get(row.text) ?? [] }))
}

/** Logs `l`, with text that is kept, of runs `r`. */
export function textClause(filter: CandidateFilter, after: OrderKey | undefined): Clause {
  return and([
    runClause(filter),
    filter.kinds && oneOf('l.kind', filter.kinds),
    after && (after.log === undefined ? afterRun(after, 'r') : fromLog(after, after.log)),
    clause('l.text IS NOT NULL AND +r.file IN (SELECT id FROM files)'),
  ])
}

function fromLog({ time, bucket, path, line }: OrderKey, log: string): Clause {
  const compare = line === undefined ? '>' : '>='
  return clause(
    `r.time <= ? AND (r.time < ? OR (r.bucket, r.path, l.name) ${compare} (?, ?, ?))`,
    time,
    time,
    bucket,
    path,
    log,
  )
}
