import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { reevaluate } from '#ingest/reevaluate.ts'
import type { Signature } from '#lib/model/signature.ts'
import { type Catalogue, loadCatalogue } from '#lib/signature/catalogue.ts'
import { definitionOf } from '#lib/signature/definition.ts'
import { openStore } from '#lib/store/open.ts'
import type { Store } from '#lib/store/store.ts'
import { foldersOf } from './corpus/write.ts'
import { type Figures, median } from './figures.ts'
import { PATTERNS } from './patterns.ts'
import { SIGNATURES } from './prepare.ts'
import { runChild } from './run-child.ts'

type Measured = NonNullable<Figures['signatures']>
type Reevaluated = Measured['reevaluated'][number]

export interface SignaturesOptions {
  /** Of each side of each comparison. */
  readonly runs: number
  readonly tell: (text: string) => void
}

const COUNT = 50
/** Of those that people keep, one: it has a witness and a clock, which must be looked for too. */
const KEPT = 'boskos.heartbeat'

/**
 * What saved signatures cost when logs are read, and what the index saves when one is edited. Both sides of a comparison
 * take turns, so that what else the machine does falls on both. Throws where the two find other hits.
 */
export async function measureSignatures(dir: string, { runs, tell }: SignaturesOptions): Promise<Measured> {
  const root = join(dir, 'signatures')
  rmSync(root, { recursive: true, force: true })
  const dirs = [SIGNATURES, join(root, 'more')]
  const { ids, catalogue } = await writeSignatures(dirs)
  const [bucket, dataDir] = [foldersOf(dir).bucket, join(root, 'data')]
  const ingest = async (signatureDirs: readonly string[]) => {
    rmSync(dataDir, { recursive: true, force: true })
    return await runChild({ do: 'ingest', bucket, dataDir, signatureDirs })
  }
  const pairs: { readonly wall: number; readonly cpu: number }[] = []
  for (let turn = 1; turn <= runs; turn++) {
    tell(`signatures: ingesting without and with ${COUNT}, ${turn} of ${runs}`)
    const without = await ingest([])
    const having = await ingest(dirs)
    pairs.push({ wall: having.ms / without.ms - 1, cpu: having.cpuMs / without.cpuMs - 1 })
  }
  const reevaluated = await measureEdits(dataDir, catalogue, ids, { runs, tell })
  rmSync(root, { recursive: true, force: true })
  return {
    count: catalogue.signatures.length,
    ingestShare: median(pairs.map(({ wall }) => wall)) ?? 0,
    ingestCpuShare: median(pairs.map(({ cpu }) => cpu)) ?? 0,
    reevaluated,
  }
}

/** The catalogue that prowl comes with, filled up: first with the literal patterns of the race, then with pasted ones. */
async function writeSignatures([kept = '', more = '']: readonly string[]) {
  const { signatures } = await loadCatalogue([kept])
  const patterns = [...PATTERNS.filter(({ kind }) => kind === 'literal'), ...PATTERNS.filter(isPasted)]
  const added = patterns.slice(0, COUNT - signatures.length).map(({ name, kind, pattern }) => ({
    id: `bench.${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    kind,
    title: name,
    pattern,
  }))
  mkdirSync(more, { recursive: true })
  const entries = added.map(({ id, title, pattern }) => ({ id, title, kind: 'per-run', regexes: [pattern] }))
  writeFileSync(join(more, 'bench.yaml'), stringify({ signatures: entries }))
  const catalogue = await loadCatalogue([kept, more])
  if (catalogue.signatures.length !== COUNT) throw new Error(`${catalogue.signatures.length} signatures, not ${COUNT}`)
  return { catalogue, ids: [KEPT, ...added.filter(({ kind }) => kind === 'literal').map(({ id }) => id)] }
}

function isPasted({ kind }: { readonly kind: string }): boolean {
  return kind === 'pasted'
}

async function measureEdits(
  dataDir: string,
  catalogue: Catalogue,
  ids: readonly string[],
  { runs, tell }: SignaturesOptions,
): Promise<Reevaluated[]> {
  const store = await openStore({ dataDir, mode: 'write', thread: true })
  try {
    const edits = new Edits(store, catalogue)
    // What is read once lies in memory then, for both ways.
    await edits.look(KEPT, 'scan')
    const found: Reevaluated[] = []
    for (const id of ids) {
      tell(`signatures: ${id} edited, looked for through the index and in all text`)
      found.push(await edits.measure(id, runs))
    }
    return found
  } finally {
    await store.close()
  }
}

type Way = 'index' | 'scan'

/** Edits a signature again and again, each time to another definition of the same lines, and looks as the worker does. */
class Edits {
  #way: Way = 'index'
  readonly #store: Store
  #catalogue: Catalogue

  constructor(store: Store, catalogue: Catalogue) {
    this.#store = store
    this.#catalogue = catalogue
    const candidates = store.candidates.bind(store)
    // A scan is the same code, over a store that rules nothing out.
    store.candidates = (filter, page) =>
      candidates(this.#way === 'scan' ? { ...filter, plan: { kind: 'all' } } : filter, page)
  }

  async measure(id: string, runs: number): Promise<Reevaluated> {
    const turns: Record<Way, Look>[] = []
    for (let turn = 0; turn < runs; turn++)
      turns.push({ index: await this.look(id, 'index'), scan: await this.look(id, 'scan') })
    const looks = turns.flatMap(({ index, scan }) => [index, scan])
    const [{ hits = 0 } = {}] = looks
    if (looks.some((look) => look.hits !== hits))
      throw new Error(`${id}: hits differ, through the index and in all text: ${looks.map((look) => look.hits)}`)
    const middle = (way: Way, of: 'ms' | 'bytes') => median(turns.map((turn) => turn[way][of])) ?? 0
    return {
      id,
      hits,
      ...{ indexBytes: middle('index', 'bytes'), scanBytes: middle('scan', 'bytes') },
      ...{ indexMs: middle('index', 'ms'), scanMs: middle('scan', 'ms') },
    }
  }

  async look(id: string, way: Way): Promise<Look> {
    this.#way = way
    const signatures = this.#catalogue.signatures.map((each) => (each.id === id ? edited(each) : each))
    const catalogue = { signatures, problems: [] }
    this.#catalogue = catalogue
    let bytes = 0
    const onProgress = (progress: { readonly bytes: number }) => {
      bytes = progress.bytes
    }
    const started = performance.now()
    await reevaluate({ store: this.#store, catalogue, now: Date.now, onProgress })
    const ms = performance.now() - started
    const counts = await this.#store.countHits({ signature: id })
    return { ms, bytes, hits: counts.reduce((sum, { hits }) => sum + hits, 0) }
  }
}

interface Look {
  readonly ms: number
  /** Of text that was read and matched. */
  readonly bytes: number
  readonly hits: number
}

/** Another definition of the same lines. */
function edited(signature: Signature): Signature {
  const changed = { ...signature, regexes: signature.regexes.map((regex) => `(?:${regex})`) }
  return { ...changed, definition: definitionOf(changed) }
}
