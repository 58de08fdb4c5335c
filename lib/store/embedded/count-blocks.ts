import type { CandidateFilter, OrderKey } from '../store.ts'
import { and, type Clause, clause } from './filter.ts'
import { isOfLayout } from './layout.ts'
import type { Opened } from './opened.ts'
import type { TextRow } from './rows.ts'
import { textClause } from './texts.ts'

/** Of a log that layout 1 has not counted: its size in blocks of 64 KiB. */
const BY_SIZE = 'max(1, (l.bytes + 65535) / 65536)'

/** Blocks that the filter leaves after one key, to another or the end: a sum over the catalogue, no day file is read for it. */
export function countBlocks(
  opened: Opened,
  filter: CandidateFilter,
  after: OrderKey | undefined,
  to: OrderKey | undefined,
): number {
  const { catalogue } = opened
  const { sql, params } = and([textClause(filter, after), to && upTo(to)])
  const blocks = isOfLayout(catalogue, 2) ? `coalesce(l.blocks, ${BY_SIZE})` : BY_SIZE
  const whole = catalogue.get<{ n: number | null }>(
    `SELECT sum(${blocks}) AS n FROM runs r CROSS JOIN logs l ON l.run = r.id WHERE ${sql}`,
    ...params,
  )
  return (whole?.n ?? 0) - blocksBefore(opened, filter, after) + blocksBefore(opened, filter, to)
}

/** Logs before the one that the key names a line of; with the one that it names whole. */
function upTo({ time, bucket, path, log = '', line }: OrderKey): Clause {
  const compare = line === undefined ? '<=' : '<'
  return clause(
    `r.time >= ? AND (r.time > ? OR (r.bucket, r.path, l.name) ${compare} (?, ?, ?))`,
    time,
    time,
    bucket,
    path,
    log,
  )
}

/** Blocks of the log that the key names, which end at or before its line. */
function blocksBefore({ catalogue, files }: Opened, filter: CandidateFilter, key: OrderKey | undefined): number {
  if (key?.log === undefined || key.line === undefined) return 0
  const { sql, params } = textClause(filter, undefined)
  const row = catalogue.get<Pick<TextRow, 'file' | 'text'>>(
    `SELECT r.file, l.text FROM runs r CROSS JOIN logs l ON l.run = r.id
      WHERE r.bucket = ? AND r.path = ? AND +r.time = ? AND l.name = ? AND ${sql}`,
    key.bucket,
    key.path,
    key.time,
    key.log,
    ...params,
  )
  if (!row) return 0
  const count = 'SELECT count(*) AS n FROM blocks WHERE text = ? AND last_line <= ?'
  return files.read(row.file, (db) => db.get<{ n: number }>(count, row.text, key.line ?? 0)?.n) ?? 0
}
