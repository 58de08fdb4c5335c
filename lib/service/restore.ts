import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { ProwlError } from '../errors.ts'
import { DAYS_DIRECTORY } from '../store/embedded/day-files.ts'
import { CATALOGUE_FILE, EVIDENCE_FILE, LAYOUT, refuseNewerFile } from '../store/embedded/layout.ts'
import { lockDirectory } from '../store/embedded/writer-lock.ts'
import type { Entry } from '../store/entries.ts'
import { countsOf, differences, runsIn } from '../store/entry-counts.ts'
import { fill } from '../store/fill.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { type BackupFile, hashOf, invalid, type Manifest, RECORDS, readManifest, toDisk } from './backup-files.ts'

export interface RestoreOptions {
  readonly dir: string
  readonly onProgress?: (done: number, total: number) => void
}

/** Files are gathered here until all of them are right. */
const PART = 'restore.part'

/**
 * Puts the files of a backup into a data directory that holds none. Throws BACKUP_*, STORE_NOT_EMPTY, DATA_DIR_* and
 * COPY_DIFFERS; the directory is then as it was.
 */
export async function restoreFiles(dataDir: string, options: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(options.dir)
  if (manifest.form !== 'files')
    throw new ProwlError('CONFIG_INVALID', `${options.dir} holds records, no files; restore it through a store`)
  if ((manifest.layout ?? 0) > LAYOUT)
    throw new ProwlError(
      'BACKUP_NEWER',
      `${options.dir} is of a newer prowl (layout ${manifest.layout}); restore it with that one`,
    )
  checkEmpty(dataDir)
  const lock = lockDirectory(dataDir)
  const part = join(dataDir, PART)
  try {
    checkEmpty(dataDir)
    await gather(part, manifest.files, options)
    await settle(dataDir, part)
    await verify(dataDir, manifest)
    return manifest
  } finally {
    await rm(part, { recursive: true, force: true })
    lock.close()
  }
}

/** Puts the records of a backup into an empty store, or goes on where that was cut off. Throws as `fill` does. */
export async function restoreRecords(store: Store, { dir, onProgress = () => {} }: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(dir)
  const [file] = manifest.files
  if (manifest.form !== 'records' || file?.name !== RECORDS)
    throw new ProwlError('CONFIG_INVALID', `${dir} holds the embedded store's files; restore it into a data directory`)
  if ((await hashOf(join(dir, RECORDS))) !== file.sha256)
    throw invalid(dir, `is damaged: ${RECORDS} is not what was written`)
  const total = runsIn(manifest.counts)
  let done = 0
  const onEntry = () => onProgress(Math.min(++done, total), total)
  await fill(store, readRecords(join(dir, RECORDS)), {
    from: `the backup of ${new Date(manifest.madeAt).toISOString()}`,
    onEntry,
  })
  return manifest
}

async function* readRecords(file: string): AsyncGenerator<Entry> {
  const stored = createReadStream(file)
  const text = createZstdDecompress().setEncoding('utf8')
  stored.once('error', (error) => text.destroy(error)).pipe(text)
  let rest = ''
  // Not readline, which also ends lines at U+2028.
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/** Files beside a restore that was cut off are no data. */
function checkEmpty(dataDir: string): void {
  const catalogue = join(dataDir, CATALOGUE_FILE)
  refuseNewerFile(catalogue)
  const days = join(dataDir, DAYS_DIRECTORY)
  const holdsDays = existsSync(days) && readdirSync(days).length > 0
  const holdsMore = (holdsDays || existsSync(join(dataDir, EVIDENCE_FILE))) && !existsSync(join(dataDir, PART))
  if (existsSync(catalogue) || holdsMore)
    throw new ProwlError(
      'STORE_NOT_EMPTY',
      `${dataDir} holds data already; name another with --data, nothing was changed`,
    )
}

async function gather(part: string, files: readonly BackupFile[], options: RestoreOptions): Promise<void> {
  await rm(part, { recursive: true, force: true })
  await mkdir(join(part, DAYS_DIRECTORY), { recursive: true })
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const { name, sha256 } of files) {
    const hash = createHash('sha256')
    await pipeline(
      createReadStream(join(options.dir, name)),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          done += chunk.length
          options.onProgress?.(done, total)
          yield chunk
        }
      },
      createWriteStream(join(part, name), { flush: true }),
    ).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'ENOENT' ? invalid(options.dir, `lacks ${name}`) : cause
    })
    if (hash.digest('hex') !== sha256) throw invalid(options.dir, `is damaged: ${name} is not what was written`)
  }
}

/** The catalogue last: a directory without one holds nothing. */
async function settle(dataDir: string, part: string): Promise<void> {
  for (const name of [DAYS_DIRECTORY, EVIDENCE_FILE]) await rm(join(dataDir, name), { recursive: true, force: true })
  for (const name of [DAYS_DIRECTORY, EVIDENCE_FILE, CATALOGUE_FILE]) {
    if (!existsSync(join(part, name))) continue
    await toDisk(dirname(join(part, name)))
    await rename(join(part, name), join(dataDir, name))
    await toDisk(dataDir)
  }
}

async function verify(dataDir: string, { counts }: Manifest): Promise<void> {
  const store = await openStore({ dataDir, mode: 'read' })
  try {
    const differ = differences(counts, await countsOf(store, Object.keys(counts.exposure)))
    if (differ) throw new ProwlError('COPY_DIFFERS', `${dataDir} does not hold what the backup does: ${differ}`)
  } finally {
    await store.close()
  }
}
