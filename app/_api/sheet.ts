import { stringify } from 'csv-stringify/sync'

/** What moves a terminal's cursor, turns round a line, or breaks a line or a column. */
const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu

type Cell = string | number | undefined

/** What a page tells, for grep and spreadsheets. */
export interface Sheet {
  /** Lines before the table, of which CSV has none. */
  readonly head?: readonly (readonly [string, Cell])[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** `key: value` for each of the head, then the table, its columns apart by tabs. */
export function sheetText({ head = [], columns, rows }: Sheet = { columns: [], rows: [] }): string {
  const lines = head.filter(([, value]) => value !== undefined).map(([key, value]) => `${key}: ${clean(value)}`)
  const table = [columns, ...rows].map((cells) => cells.map(clean).join('\t'))
  return [...lines, ...(lines.length > 0 ? [''] : []), ...table, ''].join('\n')
}

/** RFC 4180; a cell that a spreadsheet would take for a formula is quoted by an apostrophe. */
export function sheetCsv({ columns, rows }: Sheet): string {
  return stringify(
    [columns, ...rows].map((cells) => cells.map((cell) => (typeof cell === 'string' ? clean(cell) : cell))),
    { escape_formulas: true, record_delimiter: 'windows' },
  )
}

/** Logs are hostile: what they may not do to a line is a space. */
export function clean(cell: Cell): string {
  return String(cell ?? '').replace(CONTROLS, ' ')
}

/** `2026-11-03T02:14:00.000Z`; empty where it is not known. */
export function instant(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString()
}
