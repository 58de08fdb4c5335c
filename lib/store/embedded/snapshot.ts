import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProwlError } from '../../errors.ts'
import type { Store } from '../store.ts'
import type { Database } from './database.ts'
import { DAYS_DIRECTORY, DayFiles } from './day-files.ts'
import { storeOf } from './embedded-store.ts'
import { evidenceOf } from './evidence.ts'
import { GramIndex } from './grams/gram-index.ts'
import { CATALOGUE_FILE, EVIDENCE_FILE, openForReading } from './layout.ts'

/** A data directory as it was at one moment, while its worker goes on. */
export interface Snapshot {
  /** For reading all but text and status: days that expired meanwhile lack their files. */
  readonly store: Store
  readonly layout: number
  /** Of its files on disk, about. */
  readonly bytes: number
  /** Writes each file into `dir`; gives their names below it. `onBytes` tells how much is done. */
  copyTo(dir: string, onBytes: (bytes: number) => void): Promise<string[]>
  close(): void
}

/** Between opening the catalogue and a day's file, the worker may sweep or delete there: then all are opened anew. */
const ATTEMPTS = 20
const RETRY_MS = 100

/** Opens the files as of one moment; without `text`, the catalogue alone. Throws CONFIG_INVALID where there are none. */
export async function openSnapshot(dataDir: string, { text = true } = {}): Promise<Snapshot> {
  for (let attempt = 1; ; attempt++) {
    const pinned = pin(dataDir, text)
    if (pinned.lacking === undefined) return snapshotOf(dataDir, pinned)
    for (const { db } of pinned.files) db.close()
    if (attempt === ATTEMPTS)
      throw new ProwlError('STORE_CORRUPT', `${pinned.lacking} lacks text that the catalogue names; restore it`)
    await sleep(RETRY_MS)
  }
}

interface PinnedFile {
  readonly name: string
  readonly db: Database
}

interface Pinned {
  /** The catalogue first. */
  readonly files: readonly [PinnedFile, ...PinnedFile[]]
  /** One of the files, where something was frozen. */
  readonly evidence?: Database
  /** A file without a text that the catalogue names. */
  readonly lacking?: string
}

/** The catalogue first: of blocks that are written meanwhile it knows nothing. */
function pin(dataDir: string, text: boolean): Pinned {
  const catalogue = openForReading(join(dataDir, CATALOGUE_FILE))
  if (!catalogue) throw new ProwlError('CONFIG_INVALID', `${dataDir} holds nothing; name another with --data`)
  catalogue.pin()
  const files: [PinnedFile, ...PinnedFile[]] = [{ name: CATALOGUE_FILE, db: catalogue }]
  const evidence = openForReading(join(dataDir, EVIDENCE_FILE))
  evidence?.pin()
  if (evidence) files.push({ name: EVIDENCE_FILE, db: evidence })
  const days = text ? catalogue.all<{ id: number; name: string }>('SELECT id, name FROM files ORDER BY id') : []
  for (const day of days) {
    const name = join(DAYS_DIRECTORY, day.name)
    const db = openForReading(join(dataDir, name))
    if (!db) return { files, lacking: name }
    db.pin()
    files.push({ name, db })
    if (!hasTexts(db, catalogue, day.id)) return { files, lacking: name }
  }
  return { files, ...(evidence && { evidence }) }
}

function hasTexts(db: Database, catalogue: Database, file: number): boolean {
  const held = new Set(db.all<{ id: number }>('SELECT id FROM texts').map(({ id }) => id))
  return catalogue
    .all<{ text: number }>(
      'SELECT l.text FROM runs r JOIN logs l ON l.run = r.id WHERE r.file = ? AND l.text IS NOT NULL',
      file,
    )
    .every(({ text }) => held.has(text))
}

function snapshotOf(dataDir: string, { files, evidence }: Pinned): Snapshot {
  const [{ db: catalogue }] = files
  const days = new DayFiles(catalogue, dataDir, false)
  const sizes = files.map(({ db }) => db.pragma('page_count') * db.pragma('page_size'))
  const close = () => {
    days.close()
    for (const { db } of files) db.close()
  }
  return {
    store: storeOf({ catalogue, files: days, index: new GramIndex(days), evidence: evidenceOf(evidence) }, close),
    layout: catalogue.pragma('user_version'),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    copyTo: (dir, onBytes) => copyFiles(files, dir, onBytes),
    close,
  }
}

async function copyFiles(
  files: readonly PinnedFile[],
  dir: string,
  onBytes: (bytes: number) => void,
): Promise<string[]> {
  mkdirSync(join(dir, DAYS_DIRECTORY), { recursive: true })
  let done = 0
  for (const { name, db } of files) {
    const size = db.pragma('page_count') * db.pragma('page_size')
    await db.copyTo(join(dir, name), (share) => onBytes(done + share * size))
    done += statSync(join(dir, name)).size
    onBytes(done)
  }
  return files.map(({ name }) => name)
}
