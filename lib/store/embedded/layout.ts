import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ProwlError } from '../../errors.ts'
import { Database, isLocked } from './database.ts'

/** Version of what the files hold, kept as SQLite's user_version in each of them. */
export const LAYOUT = 3
export const CATALOGUE_FILE = 'catalogue.sqlite'
export const EVIDENCE_FILE = 'evidence.sqlite'
/** `PRWL`: tells our files from other SQLite databases. */
const APPLICATION_ID = 0x5052574c

/**
 * `runs.day` and `runs.file` say where the text is: fixed at the first commit, or when its day expired. `logs.text`
 * names a log's blocks in that day file, and is null for a log without any. Rollups go by the day of the run's time.
 */
const CATALOGUE_1 = `
CREATE TABLE files(id INTEGER PRIMARY KEY AUTOINCREMENT, day TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  bytes INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE runs(id INTEGER PRIMARY KEY, bucket TEXT NOT NULL, path TEXT NOT NULL, day TEXT NOT NULL,
  file INTEGER NOT NULL, time INTEGER NOT NULL, job TEXT NOT NULL, build_id TEXT NOT NULL, type TEXT NOT NULL,
  result TEXT NOT NULL, fingerprint TEXT NOT NULL, first_seen INTEGER NOT NULL, record TEXT NOT NULL,
  UNIQUE(bucket, path)) STRICT;
CREATE UNIQUE INDEX runs_by_time ON runs(time DESC, bucket, path);
CREATE INDEX runs_by_job ON runs(job, time DESC, bucket, path);
CREATE INDEX runs_by_build ON runs(build_id);
CREATE INDEX runs_by_file ON runs(file);
CREATE TABLE pulls(org TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER NOT NULL, run INTEGER NOT NULL,
  PRIMARY KEY(org, repo, number, run)) STRICT, WITHOUT ROWID;
CREATE INDEX pulls_by_run ON pulls(run);
CREATE TABLE logs(run INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, bytes INTEGER NOT NULL, text INTEGER,
  record TEXT NOT NULL, PRIMARY KEY(run, name)) STRICT, WITHOUT ROWID;
CREATE TABLE hits(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, signature TEXT NOT NULL, time INTEGER NOT NULL,
  bucket TEXT NOT NULL, path TEXT NOT NULL, log TEXT NOT NULL, line INTEGER NOT NULL, latest INTEGER NOT NULL,
  record TEXT NOT NULL) STRICT;
CREATE INDEX hits_by_time ON hits(time DESC, bucket, path, log, line, signature);
CREATE INDEX hits_by_signature ON hits(signature, time DESC, bucket, path, log, line);
CREATE INDEX hits_by_run ON hits(run);
CREATE TABLE tracks(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, signature TEXT NOT NULL, record TEXT NOT NULL) STRICT;
CREATE INDEX tracks_by_run ON tracks(run, signature);
CREATE TABLE exposures(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
CREATE INDEX exposures_by_run ON exposures(run);
CREATE TABLE exposure_hours(signature TEXT NOT NULL, hour INTEGER NOT NULL, runs INTEGER NOT NULL,
  starts INTEGER NOT NULL, PRIMARY KEY(signature, hour)) STRICT, WITHOUT ROWID;
CREATE TABLE rollups(day TEXT NOT NULL, job TEXT NOT NULL, bucket TEXT NOT NULL, type TEXT NOT NULL,
  result TEXT NOT NULL, kind TEXT NOT NULL, runs INTEGER NOT NULL, logs INTEGER NOT NULL, bytes INTEGER NOT NULL,
  truncated INTEGER NOT NULL, broken INTEGER NOT NULL,
  PRIMARY KEY(day, job, bucket, type, result, kind)) STRICT, WITHOUT ROWID;
CREATE TABLE incidents(signature TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL,
  PRIMARY KEY(signature, id)) STRICT, WITHOUT ROWID;
CREATE INDEX incidents_by_time ON incidents(at);
CREATE TABLE incident_names(name TEXT NOT NULL, signature TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY(name, signature, id)) STRICT, WITHOUT ROWID;
CREATE TABLE problems(bucket TEXT NOT NULL, path TEXT NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL,
  PRIMARY KEY(bucket, path)) STRICT, WITHOUT ROWID;
CREATE INDEX problems_by_time ON problems(at DESC, bucket, path);
CREATE TABLE state(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

/** `logs.blocks` says how many a log has; null for those of layout 1. A day file's runs come in the total order. */
const CATALOGUE_2 = `
ALTER TABLE logs ADD COLUMN blocks INTEGER;
DROP INDEX runs_by_file;
CREATE INDEX runs_by_file ON runs(file, time DESC, bucket, path);
`

/** `runs.failure` is the group of the line that a run failed with; exposed runs go by the day of the run's time. */
const CATALOGUE_3 = `
ALTER TABLE runs ADD COLUMN failure TEXT;
CREATE INDEX runs_by_failure ON runs(failure, time DESC, bucket, path) WHERE failure IS NOT NULL;
CREATE TABLE exposed_runs(signature TEXT NOT NULL, day TEXT NOT NULL, job TEXT NOT NULL, type TEXT NOT NULL,
  result TEXT NOT NULL, cluster TEXT NOT NULL, branch TEXT NOT NULL, runs INTEGER NOT NULL,
  PRIMARY KEY(signature, day, job, type, result, cluster, branch)) STRICT, WITHOUT ROWID;
INSERT INTO exposed_runs SELECT e.record ->> '$.signature' AS signature, date(r.time / 1000, 'unixepoch') AS day, r.job,
  r.type, r.result, coalesce(r.record ->> '$.cluster', '') AS cluster,
  coalesce(r.record ->> '$.refs.baseRef', '') AS branch, count(DISTINCT r.id)
  FROM exposures e JOIN runs r ON r.id = e.run
  GROUP BY signature, date(r.time / 1000, 'unixepoch'), r.job, r.type, r.result, cluster, branch;
`

/** What blocks hold lies apart from their bytes: lists of blocks never touch the bytes' pages. Ids are never reused. */
const DAY_FILE_1 = `
CREATE TABLE texts(id INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL, log TEXT NOT NULL) STRICT;
CREATE TABLE blocks(text INTEGER NOT NULL, id INTEGER NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL,
  line_window INTEGER, ascii INTEGER NOT NULL, PRIMARY KEY(text, id)) STRICT, WITHOUT ROWID;
CREATE TABLE bytes(id INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER NOT NULL, crc INTEGER NOT NULL,
  zstd BLOB NOT NULL) STRICT;
`

/** Segments of the gram index with their lists (grams/segments.ts); whose a text is, null for those of layout 1. */
const DAY_FILE_2 = `
ALTER TABLE texts ADD COLUMN bucket TEXT;
ALTER TABLE texts ADD COLUMN path TEXT;
CREATE INDEX blocks_by_id ON blocks(id);
CREATE TABLE segments(id INTEGER PRIMARY KEY AUTOINCREMENT, first INTEGER NOT NULL, last INTEGER NOT NULL,
  blocks INTEGER NOT NULL, crc INTEGER NOT NULL, ids BLOB NOT NULL) STRICT;
CREATE TABLE postings(id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
`

/** Several processes may make it at once. Since layout 2: a directory of an older one has none. */
const EVIDENCE_2 = `
CREATE TABLE IF NOT EXISTS evidence(id TEXT PRIMARY KEY, frozen_at INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS evidence_by_time ON evidence(frozen_at DESC, id);
CREATE TABLE IF NOT EXISTS evidence_names(kind TEXT NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY(kind, name, id)) STRICT, WITHOUT ROWID;
`

/** What leads from each layout to the next one, from an empty file on. */
const STEPS = {
  catalogue: [CATALOGUE_1, CATALOGUE_2, CATALOGUE_3],
  day: [DAY_FILE_1, DAY_FILE_2, ''],
  evidence: ['', EVIDENCE_2, ''],
}
type Kind = keyof typeof STEPS

/**
 * Opens a file for its writer, makes it where it is missing, and brings an older layout up to date. A newer one is
 * refused before anything is touched.
 */
export function openForWriting(file: string, kind: Kind): Database {
  refuseNewerFile(file)
  const db = new Database(file)
  try {
    for (let attempt = 1; ; attempt++) {
      const layout = checkedLayout(db, file)
      if (layout === LAYOUT || broughtUp(db, { kind, layout, isLast: attempt === ATTEMPTS })) break
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * attempt)
    }
    db.exec('PRAGMA synchronous=FULL; PRAGMA journal_size_limit=67108864')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Throws DATA_DIR_NEWER, and leaves the file and its directory as they are. */
export function refuseNewerFile(file: string): void {
  refuseNewer(file, layoutOf(file))
}

/** Opens a file for a reader; undefined where no writer has made it yet. */
export function openForReading(file: string): Database | undefined {
  const layout = layoutOf(file)
  if (layout === undefined) return undefined
  refuseNewer(file, layout)
  const db = openReadOnly(file)
  try {
    if (checkedLayout(db, file) > 0) return db
  } catch (error) {
    db.close()
    throw error
  }
  db.close()
  return undefined
}

/**
 * In a directory that can't be written SQLite can't make the files that readers share. Where nobody has the file open it
 * is read without them; stampOf tells when that holds no longer.
 */
function openReadOnly(file: string): Database {
  const db = new Database(file, { readOnly: true })
  try {
    db.pragma('user_version')
    return db
  } catch (error) {
    db.close()
    const isReadOnly = error instanceof ProwlError && error.code === 'DATA_DIR_UNWRITABLE'
    if (!isReadOnly || existsSync(`${file}-wal`)) throw error
    return new Database(immutable(file), { readOnly: true })
  }
}

/** Which file it is; of one that is read as immutable also whether it still is. Undefined where there is none. */
export function stampOf(file: string, db?: Database): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found || !db?.isImmutable) return found && String(found.ino)
  return [found.ino, found.mtimeMs, found.size, existsSync(`${file}-wal`)].join(' ')
}

/** A catalogue that holds nothing: what a reader sees before the first writer came. */
export function emptyCatalogue(): Database {
  const db = new Database(':memory:')
  bringUp(db, 'catalogue', 0)
  return db
}

/** A reader may meet files that no writer has brought up to this layout yet. */
export function isOfLayout(db: Database, layout: number): boolean {
  return db.pragma('user_version') >= layout
}

/** Another process may bring the file up meanwhile. */
const ATTEMPTS = 10

/**
 * False where another process was at it. Of several that turn a new file into one with a write-ahead log at once SQLite
 * lets one do so, and refuses the others without waiting, since each holds what the others wait for
 * (https://www.sqlite.org/c3ref/busy_handler.html).
 */
function broughtUp(
  db: Database,
  { kind, layout, isLast }: { readonly kind: Kind; readonly layout: number; readonly isLast: boolean },
): boolean {
  try {
    bringUp(db, kind, layout)
    return true
  } catch (error) {
    if (isLast || !isLocked(error)) throw error
    return false
  }
}

function bringUp(db: Database, kind: Kind, from: number): void {
  // Only a file that was made for it can give pages back. Of blocks of 20 kB, half pages leave half as much free.
  const pages = kind === 'day' ? 'PRAGMA page_size=2048; PRAGMA auto_vacuum=INCREMENTAL;' : ''
  if (from === 0) db.exec(`${pages} PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL`)
  db.transaction(() => {
    const steps = STEPS[kind].slice(from).join('')
    db.exec(`${steps} PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${LAYOUT}`)
  })
}

/**
 * Layout of a database that is open, 0 for one without content: what the WAL holds of its header counts too. All is of
 * one moment: another process may be making the file.
 */
function checkedLayout(db: Database, file: string): number {
  const [layout, application, pages] = db.snapshot(() =>
    ['user_version', 'application_id', 'page_count'].map((name) => db.pragma(name)),
  ) as [number, number, number]
  refuseNewer(file, layout)
  if (layout > 0 ? application !== APPLICATION_ID : pages > 1)
    throw new ProwlError('STORE_CORRUPT', `${file} is not prowl's; move it away, or name another data directory`)
  return layout
}

/**
 * The layout that a file tells, undefined where there is none. Where nobody has it open (there is no -wal), `immutable`
 * keeps SQLite from making -wal and -shm files; reading the header ourselves would, on closing, drop the locks that
 * this process holds on the file. Another process that opens it at this moment may make that look torn: then it is read
 * as one that is in use.
 */
function layoutOf(file: string): number | undefined {
  if (!existsSync(file)) return undefined
  if (existsSync(`${file}-wal`)) return userVersion(file)
  try {
    return userVersion(immutable(file))
  } catch {
    return userVersion(file)
  }
}

function userVersion(file: string | URL): number {
  const db = new Database(file, { readOnly: true })
  try {
    return db.pragma('user_version')
  } finally {
    db.close()
  }
}

function immutable(file: string): URL {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return url
}

function refuseNewer(file: string, layout = 0): void {
  if (layout <= LAYOUT) return
  throw new ProwlError(
    'DATA_DIR_NEWER',
    `${file} was written by a newer prowl (layout ${layout}, this one knows ${LAYOUT}); start that one, or name another data directory`,
  )
}
