import { availableParallelism } from 'node:os'
import { foldersOf } from './corpus/write.ts'
import { type InElasticsearch, ingestIntoElasticsearch } from './elasticsearch.ts'
import { type Figures, geomean, ofKind, type Row, ratios, worst } from './figures.ts'
import { peersOf } from './peers.ts'
import { dataDirOf, type Prepared, prepare, reuse, type Wanted } from './prepare.ts'
import { openProwl, type Prowl } from './prowl.ts'
import { race, raceMerged } from './race.ts'
import { measureSignatures } from './signatures.ts'

export interface BenchOptions extends Wanted {
  readonly runs: number
  readonly all: boolean
  readonly reuse: boolean
  /** The corpus is ingested into Elasticsearch too. */
  readonly elasticsearch: boolean
  /** What saved signatures cost is measured too. */
  readonly signatures: boolean
  readonly tell: (text: string) => void
}

export interface Benched {
  readonly figures: Figures
  /** Counts that differ: the bench failed. */
  readonly faults: readonly string[]
}

const MIB = 1024 * 1024
/** What no count of every line can keep, at sizes where it matters. */
const DEADLINE_MS = 100

/** Makes the corpus in `dir`, races every pattern over it, and gives what it found. */
export async function bench(dir: string, options: BenchOptions): Promise<Benched> {
  const { tell, runs, all, days } = options
  const prepared = options.reuse ? reuse(dir, options) : await prepare(dir, options, tell)
  const signatures = options.signatures ? await measureSignatures(dir, { runs, tell }) : undefined
  const prowl = await openProwl(dataDirOf(dir))
  let elastic: InElasticsearch | undefined
  try {
    if (options.elasticsearch) elastic = await ingestIntoElasticsearch(dir, tell)
    const blocks = (await prowl.count([''])).candidates
    const peers = days === 1 ? { peers: peersOf(foldersOf(dir)) } : {}
    const rows: Row[] = []
    const faults: string[] = []
    for (const pattern of options.patterns) {
      const raced = await race(pattern, {
        prowl,
        elastic: elastic?.prowl,
        ...peers,
        counts: prepared.counts,
        blocks,
        runs,
        all,
      })
      const ms = [raced.row.prowlMs, raced.row.elasticMs ?? []].flat().map((ms) => ms.toFixed(0))
      tell(`${pattern.name}: ${raced.row.lines} lines in ${ms.join(', by Elasticsearch ')} ms`)
      rows.push(raced.row)
      faults.push(...raced.faults)
    }
    const deadline = await pressed(prowl, rows)
    if (!elastic) return { figures: figuresOf(options, prepared, { rows, deadline, signatures }), faults }
    const elasticsearch = await elastic.merge(prepared.bytes)
    const merged = await raceMerged(elastic.prowl, rows, runs)
    const figures = figuresOf(options, prepared, { rows: merged.rows, deadline, signatures, elasticsearch })
    return { figures, faults: [...faults, ...merged.faults] }
  } finally {
    await prowl.close()
    await elastic?.close()
  }
}

/** Counts against a deadline, where a count of every line takes longer than that. */
async function pressed(prowl: Prowl, rows: readonly Row[]): Promise<Figures['deadline']> {
  const slowest = ofKind(rows, 'none').toSorted((a, b) => b.prowlMs - a.prowlMs)[0]
  if (!slowest || slowest.prowlMs < 2 * DEADLINE_MS) return undefined
  const started = performance.now()
  const { partial } = await prowl.count([slowest.pattern], DEADLINE_MS)
  return { givenMs: DEADLINE_MS, tookMs: performance.now() - started, saidSo: partial.includes('deadline') }
}

type Raced = Pick<Figures, 'rows' | 'deadline'> & { readonly [K in 'signatures' | 'elasticsearch']?: Figures[K] }

function figuresOf(wanted: Wanted, prepared: Prepared, { rows, deadline, signatures, elasticsearch }: Raced): Figures {
  const vsCiSearch = ratios(ofKind(rows, 'literal', 'pasted'), 'ciSearchMs')
  const [mean, least] = [geomean(vsCiSearch), worst(vsCiSearch)]
  return {
    cores: availableParallelism(),
    node: process.versions.node,
    seed: wanted.seed,
    days: wanted.days,
    corpusBytes: prepared.bytes,
    logs: prepared.logs,
    corpusLines: prepared.lines,
    ingestMiBs: prepared.bytes / MIB / (prepared.ingestMs / 1000),
    ingestPeakMiB: prepared.ingestPeakBytes / MIB,
    searchPeakMiB: (process.resourceUsage().maxRSS * 1024) / MIB,
    indexRatio: prepared.storeBytes / prepared.bytes,
    ...(deadline ? { deadline } : {}),
    ...(signatures ? { signatures } : {}),
    ...(elasticsearch ? { elasticsearch } : {}),
    rows,
    ...(mean === undefined ? {} : { geomeanVsCiSearch: mean }),
    ...(least === undefined ? {} : { worstVsCiSearch: least }),
  }
}
