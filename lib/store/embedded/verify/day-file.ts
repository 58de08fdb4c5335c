import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunKey } from '../../../model/run.ts'
import { GRAM_SPACE } from '../../../text/grams.ts'
import { type BytesRow, unpack } from '../../packed.ts'
import { isUnread } from '../../record.ts'
import type { Database } from '../database.ts'
import { DAYS_DIRECTORY, type DayFile, type DayFiles } from '../day-files.ts'
import { Damaged } from '../grams/damaged.ts'
import { checkSegment, listSegments, type Segment } from '../grams/segments.ts'
import { isOfLayout } from '../layout.ts'
import { type Findings, integrity } from './findings.ts'

const BLOCKS_AT_ONCE = 64

/** A log's text, as the catalogue names it. */
interface NamedText extends RunKey {
  readonly text: number
  readonly log: string
  /** How many it should have; null where that is not known. */
  readonly blocks: number | null
  readonly fingerprint: string
}

/** A day's file: SQLite's own check, every block by its checksum, every text that the catalogue names, every segment. */
export async function verifyDayFile(
  catalogue: Database,
  files: DayFiles,
  file: DayFile,
  findings: Findings,
): Promise<void> {
  const name = join(DAYS_DIRECTORY, file.name)
  if (!existsSync(files.pathOf(file))) {
    // Its day may have expired meanwhile.
    if (files.list().some(({ id }) => id === file.id))
      findings.fault({ code: 'FILE_MISSING', file: name, detail: 'the catalogue names it, and it is not there' })
    return
  }
  findings.count('files')
  const isSound = files.read(file.id, (db) => integrity(db, name, findings)) ?? false
  if (!isSound) return
  await verifyTexts(catalogue, files, file, name, findings)
  verifyIndex(files, file, name, findings)
}

async function verifyTexts(
  catalogue: Database,
  files: DayFiles,
  { id: file }: DayFile,
  name: string,
  findings: Findings,
): Promise<void> {
  const broken = await brokenBlocks(files, file, findings)
  // Read after the texts' blocks: what was published since has blocks that were not looked at, and lacks none.
  const held = files.read(file, (db) => textsOf(db)) ?? new Map<number, number>()
  const named = namedTexts(catalogue, file)
  findings.leftover([...held.keys()].filter((text) => !named.has(text)).length)
  const suspicious = [...named.values()].filter(({ text, blocks }) => {
    return broken.has(text) || !held.has(text) || (blocks !== null && blocks !== held.get(text))
  })
  if (suspicious.length === 0) return
  const there = files.read(file, (db) => textsOf(db))
  const still = namedTexts(catalogue, file)
  for (const each of suspicious) {
    // Replaced and swept meanwhile: ids are never given again, so one that is still named was named throughout.
    if (!there || still.get(each.text)?.path !== each.path) continue
    const { text, bucket, path, log, blocks, fingerprint } = each
    const count = there.get(text)
    const fault = { file: name, run: { bucket, path }, ...(isUnread(fingerprint) && { waiting: true as const }) }
    const of = `${log} of ${bucket} ${path}`
    if (count === undefined || (blocks !== null && blocks !== count))
      findings.fault({
        code: 'TEXT_MISSING',
        ...fault,
        detail: `${of} has ${count ?? 0} of its ${blocks ?? '?'} blocks`,
      })
    if (broken.has(text))
      findings.fault({
        code: 'BLOCK_DAMAGED',
        ...fault,
        detail: `${of}: ${broken.get(text)} blocks fail their checksum`,
      })
  }
}

/** By text, how many of its blocks are damaged or lack their bytes. */
async function brokenBlocks(files: DayFiles, file: number, findings: Findings): Promise<Map<number, number>> {
  const broken = new Map<number, number>()
  for (let after = 0; ; ) {
    const page = files.read(file, (db) =>
      db.all<Partial<BytesRow> & { readonly id: number; readonly text: number }>(
        `SELECT b.id, b.text, y.size, y.crc, y.zstd FROM blocks b LEFT JOIN bytes y ON y.id = b.id
          WHERE b.id > ? ORDER BY b.id LIMIT ${BLOCKS_AT_ONCE}`,
        after,
      ),
    )
    const last = page?.at(-1)
    if (!page || !last) return broken
    for (const { text, size, crc, zstd } of page) {
      const isWhole = zstd && unpack({ size: size ?? 0, crc: crc ?? 0, zstd }) !== undefined
      if (!isWhole) broken.set(text, (broken.get(text) ?? 0) + 1)
    }
    findings.count('blocks', page.length)
    await findings.step(page.reduce((sum, { zstd }) => sum + (zstd?.length ?? 0), 0))
    after = last.id
  }
}

/** Blocks of each text that the file holds. */
function textsOf(db: Database): Map<number, number> {
  const rows = db.all<{ id: number; n: number }>(
    'SELECT t.id, (SELECT count(*) FROM blocks b WHERE b.text = t.id) AS n FROM texts t',
  )
  return new Map(rows.map(({ id, n }) => [id, n]))
}

function namedTexts(catalogue: Database, file: number): Map<number, NamedText> {
  const blocks = isOfLayout(catalogue, 2) ? 'l.blocks' : 'NULL AS blocks'
  const rows = catalogue.all<NamedText>(
    `SELECT l.text, l.name AS log, ${blocks}, r.bucket, r.path, r.fingerprint FROM runs r JOIN logs l ON l.run = r.id
      WHERE r.file = ? AND l.text IS NOT NULL`,
    file,
  )
  return new Map(rows.map((row) => [row.text, row]))
}

/** All of one moment: a worker merges segments meanwhile. */
function verifyIndex(files: DayFiles, { id }: DayFile, file: string, findings: Findings): void {
  files.read(id, (db) => {
    if (!isOfLayout(db, 2)) return
    db.snapshot(() => {
      const { sound, damaged } = listSegments(db)
      const bad = [...damaged, ...sound.filter((segment) => !isWhole(db, segment)).map(({ id: segment }) => segment)]
      findings.count('segments', sound.length + damaged.length)
      for (const segment of bad)
        findings.fault({
          code: 'INDEX_DAMAGED',
          file,
          segment,
          detail: `segment ${segment} fails its checksums; its blocks are scanned`,
        })
    })
  })
}

function isWhole(db: Database, segment: Segment): boolean {
  try {
    checkSegment(db, segment, GRAM_SPACE)
    return true
  } catch (error) {
    if (error instanceof Damaged) return false
    throw error
  }
}
