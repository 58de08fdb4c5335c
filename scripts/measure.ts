import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { runIngest } from '#ingest/run-ingest.ts'
import { backupEmbedded, backupRecords } from '#lib/service/backup.ts'
import type { Manifest } from '#lib/service/backup-files.ts'
import { migrate } from '#lib/service/migrate.ts'
import { restoreFiles } from '#lib/service/restore.ts'
import type { ElasticOptions } from '#lib/store/elastic/connect.ts'
import { CATALOGUE_FILE } from '#lib/store/embedded/layout.ts'
import { openStore } from '#lib/store/open.ts'
import { hasElasticsearch, NO_ELASTICSEARCH, SERVER_JVM, startElasticsearch } from '#lib/testing/elasticsearch.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'

const SEED = 1750890
const MB = 1e6

interface Held {
  readonly runs: number
  /** Decoded, of text that is kept. */
  readonly rawBytes: number
}

interface Place {
  readonly dataDir: string
  readonly elastic?: ElasticOptions
}

const { scale, elasticsearch } = new Command('npm run measure --')
  .description('Measures on the sample bucket what docs/operations.md reckons with: space by run, copies, moving.')
  .option('--scale <share>', 'of the sample bucket, 0 to 1', Number, 1)
  .option('--elasticsearch', 'an Elasticsearch on this machine, too')
  .parse()
  .opts<{ readonly scale: number; readonly elasticsearch?: boolean }>()

const home = mkdtempSync(join(tmpdir(), 'prowl-measure-'))
process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))
const bucket = join(home, 'bucket')
const embedded = { dataDir: join(home, 'data') }

try {
  await generateSample({ dir: bucket, seed: SEED, end: Date.now(), scale })
  await measureEmbedded()
  if (elasticsearch) await measureElasticsearch()
} catch (error) {
  console.error(`measure: ${(error as Error).message}`)
  process.exitCode = 2
}

async function measureEmbedded(): Promise<void> {
  const { dataDir } = embedded
  const { runs, rawBytes } = await read('embedded', embedded)
  const [files, records] = [join(home, 'files'), join(home, 'records')]
  const whole = await copy('backup with text', () =>
    backupEmbedded(dataDir, { dir: files, now: Date.now(), text: true }),
  )
  const [catalogue = [], days = []] = [true, false].map((is) =>
    whole.filter(({ name }) => (name === CATALOGUE_FILE) === is),
  )
  tell('of it catalogue', `${mb(sizeOf(catalogue))}, ${(sizeOf(catalogue) / 1000 / runs).toFixed(1)} kB a run`)
  tell('of it text and index', `${mb(sizeOf(days))}, ${(sizeOf(days) / rawBytes).toFixed(2)} of the text`)
  await copy('backup without text', () => backupEmbedded(dataDir, { dir: records, now: Date.now(), text: false }))
  await copy('restore with text', () => restoreFiles(join(home, 'restored'), { dir: files }))
  await move('embedded', runs, { dataDir: join(home, 'moved') })
}

async function measureElasticsearch(): Promise<void> {
  if (!hasElasticsearch()) throw new Error(NO_ELASTICSEARCH)
  const node = await startElasticsearch({ dir: home, jvm: SERVER_JVM })
  try {
    const place = () => ({ dataDir: home, elastic: { nodes: [node.url], prefix: node.newPrefix() } })
    await move('Elasticsearch', (await held(embedded)).runs, place())
    const there = place()
    await read('Elasticsearch', there)
    const store = await openStore({ ...there, mode: 'read' })
    await copy('backup of Elasticsearch', () => backupRecords(store, { dir: join(home, 'es'), now: Date.now() }))
    await store.close()
  } finally {
    await node.stop()
  }
}

/** One pass of the worker over the whole bucket; what it read. */
async function read(into: string, place: Place): Promise<Held> {
  const ms = await timed(() => runIngest({ ...place, bucket, signatureDirs: ['signatures'] }))
  const { runs, rawBytes } = await held(place)
  tell(`read into ${into}`, `${runs} runs, ${mb(rawBytes)} of text in ${s(ms)}: ${perSecond(runs, ms)} runs/s`)
  return { runs, rawBytes }
}

async function move(into: string, runs: number, place: Place): Promise<void> {
  const store = await openStore({ ...place, mode: 'write', thread: true })
  const ms = await timed(() => migrate(embedded.dataDir, store))
  await store.close()
  tell(`migrate into ${into}`, `${s(ms)}: ${perSecond(runs, ms)} runs/s`)
}

async function copy(what: string, make: () => Promise<Manifest>): Promise<Manifest['files']> {
  let files: Manifest['files'] = []
  const ms = await timed(async () => {
    files = (await make()).files
  })
  tell(what, `${mb(sizeOf(files))} in ${s(ms)}`)
  return files
}

function sizeOf(files: Manifest['files']): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function held(place: Place): Promise<Held> {
  const store = await openStore({ ...place, mode: 'read' })
  const { runs, rawBytes } = await store.status()
  await store.close()
  return { runs: Object.values(runs).reduce((sum, count) => sum + count, 0), rawBytes }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function tell(what: string, figure: string): void {
  console.log(`${what.padEnd(30)}${figure}`)
}

function perSecond(count: number, ms: number): string {
  return Math.round((count / ms) * 1000).toString()
}

function s(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function mb(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`
}
