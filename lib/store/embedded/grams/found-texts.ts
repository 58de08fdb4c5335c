import type { RunKey } from '../../../model/run.ts'
import type { Database } from '../database.ts'
import type { BlockRow } from '../rows.ts'

/** A log's text that holds some of the blocks looked for. */
export interface FoundText extends RunKey {
  readonly text: number
  readonly log: string
  /** These blocks, in order. */
  readonly blocks: readonly BlockRow[]
}

/** Up to here the blocks' texts are looked up; of more it is quicker to go through the logs in order. */
const FEW_BLOCKS = 2000

interface FoundRow extends BlockRow {
  readonly text: number
  readonly bucket: string | null
  readonly path: string | null
  readonly log: string
}

/** Undefined where there are many blocks, or where some text was written by a prowl that did not note whose it is. */
export function foundTexts(db: Database, ids: Uint32Array): FoundText[] | undefined {
  if (ids.length > FEW_BLOCKS) return undefined
  const rows = db.all<FoundRow>(
    `SELECT b.*, t.bucket, t.path, t.log FROM json_each(?) i
      CROSS JOIN blocks k INDEXED BY blocks_by_id ON k.id = i.value
      CROSS JOIN blocks b ON b.text = k.text AND b.id = k.id
      CROSS JOIN texts t ON t.id = k.text ORDER BY b.text, b.id`,
    JSON.stringify(Array.from(ids)),
  )
  const texts: FoundText[] = []
  for (const [text, found] of Map.groupBy(rows, (row) => row.text)) {
    const { bucket = null, path = null, log = '' } = found[0] ?? {}
    if (bucket === null || path === null) return undefined
    texts.push({ text, bucket, path, log, blocks: found.map(slim) })
  }
  return texts
}

/** As SQLite gives it, a row takes ten times as much, and these are kept. */
function slim({ id, first_line, last_line, line_window, ascii }: BlockRow): BlockRow {
  return { id, first_line, last_line, line_window, ascii }
}
