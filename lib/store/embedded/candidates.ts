import type { Candidate } from '../../model/block.ts'
import { cutPage } from '../record.ts'
import type { CandidateFilter, CandidatePage, OrderKey, Page, Paged } from '../store.ts'
import { candidatesOf, untilStable } from './blocks.ts'
import { countBlocks } from './count-blocks.ts'
import type { Database } from './database.ts'
import type { Opened } from './opened.ts'
import { pageRows } from './page-rows.ts'
import { type BlockRow, candidate, type TextRow } from './rows.ts'
import { type LocatedText, textsInOrder } from './texts.ts'

/** Logs that one page goes through at most where a plan leaves few of their blocks. */
const MAX_WALKED = 2000

/** Every block of the logs that the filter leaves, narrowed by its plan a day file at a time. */
export function listCandidates(opened: Opened, filter: CandidateFilter, page: Page): CandidatePage {
  const { plan, ...rest } = filter
  const narrowed: CandidateFilter = plan && plan.kind !== 'all' ? filter : rest
  const found = untilStable(() => candidatesPage(opened, narrowed, page))
  const { items, next } = found
  const considered = narrowed.plan ? countBlocks(opened, rest, page.after, next) : items.length
  return { ...found, considered: Math.max(items.length, considered) }
}

function candidatesPage(opened: Opened, filter: CandidateFilter, page: Page): Paged<Candidate> | undefined {
  const limit = Math.max(1, page.limit)
  const found: Candidate[] = []
  let walked = 0
  for (const text of textsInOrder(opened, filter, page.after)) {
    const blocks = blocksOf(opened, text, page.after, limit - found.length)
    if (!blocks) return undefined
    found.push(...blocks)
    const cut = cutPage(found, limit, blockEnd)
    if (cut.next) return cut
    if (filter.plan && ++walked === MAX_WALKED) return { items: found, next: textEnd(text) }
  }
  return { items: found }
}

/** Undefined where the text was swept meanwhile. At least `room` of them, where there are so many. */
function blocksOf(
  { files }: Opened,
  text: LocatedText,
  after: OrderKey | undefined,
  room: number,
): Candidate[] | undefined {
  const line = isOf(text, after) ? (after?.line ?? 0) : 0
  const { blocks, found } = text
  if (blocks) return blocks.filter((block) => block.last_line > line).map((block) => candidate(text, block))
  if (!found) return candidatesOf(files, text, (db) => pageRows(room, rowsAfter(db, text, line), sameLine), candidate)
  const all = candidatesOf(files, text, (db) => rowsAfter(db, text, line)(-1), candidate)
  return all?.filter(({ ref }) => found.has(Number(ref.id.split('.')[1])))
}

function rowsAfter(db: Database, { text }: TextRow, line: number): (count: number) => BlockRow[] {
  return (count) =>
    db.all<BlockRow>('SELECT * FROM blocks WHERE text = ? AND last_line > ? ORDER BY id LIMIT ?', text, line, count)
}

function sameLine(a: BlockRow, b: BlockRow): boolean {
  return a.last_line === b.last_line
}

function isOf(text: TextRow, key: OrderKey | undefined): boolean {
  return key?.log === text.log && key.path === text.path && key.bucket === text.bucket && key.time === text.time
}

function textEnd({ time, bucket, path, log }: TextRow): OrderKey {
  return { time, bucket, path, log }
}

function blockEnd({ time, bucket, path, log, firstLine, lineCount }: Candidate): OrderKey {
  return { time, bucket, path, log, line: firstLine + lineCount - 1 }
}
