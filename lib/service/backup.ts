import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { ProwlError } from '../errors.ts'
import { openSnapshot } from '../store/embedded/snapshot.ts'
import { entriesOf } from '../store/entries.ts'
import { type Counts, countsOf, differences, runsIn, Tally } from '../store/entry-counts.ts'
import type { Store } from '../store/store.ts'
import { BACKUP_VERSION, describeFile, type Manifest, RECORDS, toDisk, writeManifest } from './backup-files.ts'

export interface BackupOptions {
  /** Made here; refused where there is something already. */
  readonly dir: string
  /** Epoch ms. */
  readonly now: number
  readonly onProgress?: (done: number, total: number) => void
}

/** A consistent copy of an embedded store, whose worker may go on meanwhile. Without `text`, as records. */
export async function backupEmbedded(
  dataDir: string,
  { text, ...options }: BackupOptions & { readonly text: boolean },
): Promise<Manifest> {
  checkNew(options.dir)
  const snapshot = await openSnapshot(dataDir, { text })
  try {
    return text
      ? await whole(options, async (part, onProgress) => {
          const names = await snapshot.copyTo(part, (bytes) => onProgress(bytes, snapshot.bytes))
          const counts = await countsOf(snapshot.store, await signaturesOf(snapshot.store))
          return { form: 'files', layout: snapshot.layout, counts, names }
        })
      : await backupRecords(snapshot.store, options)
  } finally {
    snapshot.close()
  }
}

/** All that a store tells through its port: everything but text. Throws COPY_DIFFERS where it was written to meanwhile. */
export async function backupRecords(store: Store, options: BackupOptions): Promise<Manifest> {
  checkNew(options.dir)
  return await whole(options, async (part, onProgress) => {
    const total = runsIn(await countsOf(store, []))
    const counts = await writeRecords(store, join(part, RECORDS), (done) => onProgress(done, total))
    const differ = differences(counts, await countsOf(store, Object.keys(counts.exposure)))
    if (differ)
      throw new ProwlError(
        'COPY_DIFFERS',
        `the store was written to meanwhile; end its worker, then try again: ${differ}`,
      )
    return { form: 'records', counts, names: [RECORDS] }
  })
}

interface Made {
  readonly form: Manifest['form']
  readonly layout?: number
  readonly counts: Counts
  readonly names: readonly string[]
}

type Make = (part: string, onProgress: (done: number, total: number) => void) => Promise<Made>

/** Until all is written and on the disk, the directory has another name, and what is in it no manifest. */
async function whole({ dir, now, onProgress = () => {} }: BackupOptions, make: Make): Promise<Manifest> {
  const part = `${dir}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { recursive: true })
  try {
    const { names, ...made } = await make(part, onProgress)
    const files = []
    for (const name of names) files.push(await describeFile(part, name))
    const manifest = { ...made, madeAt: now, files }
    await writeManifest(part, manifest)
    for (const each of new Set(names.map((name) => dirname(join(part, name))))) await toDisk(each)
    await rename(part, dir)
    await toDisk(dirname(dir))
    return { prowl: 'backup', version: BACKUP_VERSION, ...manifest }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

async function writeRecords(store: Store, file: string, onRuns: (done: number) => void): Promise<Counts> {
  const tally = new Tally()
  let runs = 0
  const lines = async function* () {
    for await (const entry of entriesOf(store)) {
      tally.add(entry)
      yield `${JSON.stringify(entry)}\n`
      if ('run' in entry) onRuns(++runs)
    }
  }
  await pipeline(Readable.from(lines()), createZstdCompress(), createWriteStream(file))
  return tally.counts
}

async function signaturesOf(store: Store): Promise<Set<string>> {
  const hit = (await store.countHits({})).map(({ signature }) => signature)
  return new Set([...hit, ...(await store.incidents({})).map(({ signature }) => signature)])
}

function checkNew(dir: string): void {
  if (existsSync(dir))
    throw new ProwlError('CONFIG_INVALID', `${dir} exists already; name a new directory for the backup`)
}
