import { ProwlError } from '../errors.ts'
import { frozenRun, frozenSignature, keptLines, lineOfHit, lineOfSearch } from '../evidence/content.ts'
import { runText } from '../incident/runs.ts'
import { EVIDENCE_LINES, type Evidence, type EvidenceContent } from '../model/evidence.ts'
import type { Incident, IncidentRun } from '../model/incident.ts'
import type { Run } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { formatQuery, type SearchQuery } from '../search/query.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import { incidentView } from './incident.ts'
import { knownSignatures } from './known.ts'
import { matchedOf } from './matched.ts'
import { searchView } from './search.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import { signatureView } from './signature.ts'
import { togetherSentence } from './together.ts'

/** An answer that is to be frozen, without what is told of any. */
export type Draft = Pick<Evidence, 'content' | 'range' | 'sentences'> & {
  readonly lacking: readonly string[]
  readonly signatures: readonly Signature[]
}

export async function searchDraft(ctx: Context, query: SearchQuery, signal: AbortSignal | undefined): Promise<Draft> {
  if (query.patterns.length === 0) throw new ProwlError('QUERY_INVALID', 'search: a pattern is needed')
  const view = await searchView(ctx, query, { signal })
  if (view.error) {
    const { code, message, position, pattern } = view.error
    throw new ProwlError(code, message, { position, pattern })
  }
  const { range } = view
  const limits = { ...SEARCH_LIMITS.freeze, now: ctx.now(), ...(signal && { signal }) }
  const counted = await ctx.searcher.count({ ...query, range }, { ...limits, deadlineMs: SEARCH_LIMITS.freeze.ms })
  const { runs, failedRuns, jobs, pulls } = matchedOf(query, counted)
  const lines = keptLines(view.hits.map(({ hit }) => lineOfSearch(hit)))
  const total = counted.runs.reduce((sum, { any }) => sum + any, 0)
  const partial = counted.partial.length > 0
  const frozen = await ctx.store.runsOf(lines)
  return {
    content: {
      asked: { kind: 'search', search: searchText(query) },
      counts: {
        ...{ lines: Math.max(total, lines.length), runs, failedRuns, jobs, pulls },
        ...(partial && { partial }),
      },
      lines,
      runs: runsInOrder(lines, frozen),
      definitions: [],
    },
    range: { ...range, rolling: 'lastMs' in query.range },
    sentences: [],
    lacking: [...new Set([...view.partial, ...counted.partial])].flatMap((reason) => LACKING[reason] ?? []),
    signatures: (await knownSignatures(ctx, lines)).map(({ signature }) => signature),
  }
}

/** More lines than are kept are no lack: they are counted. */
const LACKING: Readonly<Record<string, string>> = {
  deadline: 'not all was searched in time',
  bytes: 'older text was not searched',
  expired: 'some text expired meanwhile',
  damaged: 'some text was damaged',
}

/** The query without its range, how its lines are grouped, told and how many are shown. */
function searchText({ groupBy: _, maxPerRun: __, tally: ___, ...query }: SearchQuery): string {
  return formatQuery({ ...query, groupBy: 'job', range: { lastMs: 1, byDefault: true } }).toString()
}

export async function signatureDraft(ctx: Context, id: string): Promise<Draft> {
  const view = await signatureView(ctx, id)
  const { signature, parent, incidents, window, sentences } = view
  const range = { from: window.from, to: window.to }
  const [{ items }, [counted]] = await Promise.all([
    ctx.store.hits({ signature: signature.id, ...range }, { limit: EVIDENCE_LINES }),
    ctx.store.countHits({ signature: signature.id, ...range }),
  ])
  const lines = keptLines(items.map((hit) => lineOfHit(hit, signature)))
  return {
    content: {
      asked: { kind: 'signature', signature: signature.id, title: signature.title },
      counts: { lines: counted?.hits ?? 0, ...countsOf(incidents), incidents: incidents.length },
      lines,
      runs: runsInOrder(lines, await ctx.store.runsOf(lines)),
      definitions: [signature, ...(parent ? [parent] : [])].map(frozenSignature),
    },
    range: { ...range, rolling: true },
    sentences: [...sentences],
    lacking: [],
    signatures: [signature, ...(parent ? [parent] : [])],
  }
}

export async function incidentDraft(ctx: Context, id: string): Promise<Draft> {
  const { incident, signature, lanes, outcomeWords, together } = await incidentView(ctx, id)
  const parent = (await ctx.catalogue()).signatures.find((one) => one.id === signature.part?.of)
  const hits = lanes.flatMap((lane) => lane.hits).sort((a, b) => a.placed.earliest - b.placed.earliest)
  const lines = keptLines(hits.map((hit) => lineOfHit(hit, signature)))
  return {
    content: {
      asked: { kind: 'incident', signature: signature.id, title: signature.title, incident: incident.id },
      counts: { lines: hits.length, ...countsOf([incident]), incidents: 1 },
      lines,
      runs: runsInOrder(
        lines,
        lanes.map(({ run }) => run),
      ),
      definitions: [signature, ...(parent ? [parent] : [])].map(frozenSignature),
    },
    range: { from: incident.from.earliest, to: incident.to.latest + 1, rolling: false },
    sentences: [`${outcomeWords}.`, ...togetherSentence(together)],
    lacking: [],
    signatures: [signature, ...(parent ? [parent] : [])],
  }
}

/** Runs of incidents, each once. */
export function countsOf(incidents: readonly Pick<Incident, 'runs' | 'pulls'>[]) {
  const runs = new Map<string, IncidentRun>()
  for (const run of incidents.flatMap((incident) => incident.runs)) runs.set(runText(run), run)
  const all = [...runs.values()]
  return {
    runs: all.length,
    failedRuns: all.filter(({ result }) => isFailed(result)).length,
    jobs: new Set(all.map(({ job }) => job)).size,
    pulls: new Set(incidents.flatMap(({ pulls }) => pulls)).size,
  }
}

/** Of the lines, in their order. */
function runsInOrder(lines: EvidenceContent['lines'], runs: readonly Run[]): EvidenceContent['runs'] {
  const known = new Map(runs.map((run) => [runText(run), run]))
  return [...new Set(lines.map(runText))].flatMap((key) => {
    const run = known.get(key)
    return run ? [frozenRun(run)] : []
  })
}
