import type { Hit } from '../../model/hit.ts'
import type { Run, RunKey } from '../../model/run.ts'
import { compareKeys } from '../order.ts'
import { cutPage, runOrder } from '../record.ts'
import type { FailureFilter, HitFilter, OrderKey, Page, Paged, RunStamp, StoredRun } from '../store.ts'
import { type Cluster, everything, type Query, untilStable } from './cluster.ts'
import { listDays } from './days.ts'
import { exposuresOf, type RunDoc, runId } from './documents.ts'
import { tracksOf } from './findings.ts'
import { all, failureClauses, one, RUN_SORT, runClauses, runsAfter } from './query.ts'

const RUNS_AT_ONCE = 500

export async function findStamps(cluster: Cluster, bucket: string, paths: readonly string[]): Promise<RunStamp[]> {
  const fields = ['run', 'fingerprint', 'first_seen']
  const wanted = [...new Set(paths)].map((path) => runId({ bucket, path }))
  const docs = await cluster.get<RunDoc>(wanted.map((id) => ({ index: cluster.names.runs, id, fields })))
  return docs.flatMap((doc) => {
    if (!doc) return []
    const { run, fingerprint, first_seen: firstSeen } = doc.source
    return [{ path: run.path, result: run.result, fingerprint, time: run.time, firstSeen }]
  })
}

export async function findRun(cluster: Cluster, key: RunKey): Promise<StoredRun | undefined> {
  const found = await untilStable(async () => {
    const doc = await cluster.getOne<RunDoc>(cluster.names.runs, runId(key))
    const tracks = await tracksOf(cluster, [doc?.source])
    return tracks && { doc, tracks: tracks.flat() }
  })
  if (!found.doc) return undefined
  const { doc, tracks } = found
  const days = await listDays(cluster)
  const { run, fingerprint, first_seen: firstSeen, logs, hits, generation } = doc.source
  const exposures = exposuresOf(doc.source)
  const expired = !days.some((day) => day.generation === generation)
  return { run, fingerprint, firstSeen, logs, hits, tracks, exposures, expired }
}

export async function findRuns(cluster: Cluster, keys: readonly RunKey[]): Promise<Run[]> {
  const ids = [...new Set(keys.map(runId))]
  const docs = await cluster.get<RunDoc>(ids.map((id) => ({ index: cluster.names.runs, id, fields: ['run'] })))
  return docs.flatMap((doc) => doc?.source.run ?? [])
}

export async function listRuns(cluster: Cluster, filter: FailureFilter, { limit, after }: Page): Promise<Paged<Run>> {
  const found: Run[] = []
  const clauses = [...failureClauses(filter), ...(after ? [runsAfter(after)] : [])]
  for await (const doc of runsInOrder(cluster, clauses, limit + 1, ['run'])) {
    found.push(doc.run)
    if (found.length > limit) break
  }
  return cutPage(found, limit, runOrder)
}

function runsInOrder(cluster: Cluster, clauses: readonly Query[], wanted: number, fields: string[]) {
  const size = Math.min(Math.max(1, wanted), RUNS_AT_ONCE)
  const docs = everything<RunDoc>(cluster, cluster.names.runs, {
    query: all(clauses),
    sort: RUN_SORT,
    _source: fields,
    size,
  })
  return sources(docs)
}

async function* sources<D>(docs: AsyncIterable<{ readonly _source: D }>): AsyncGenerator<D> {
  for await (const { _source } of docs) yield _source
}

/** Hits in the order of their runs, and in each in that of its document. */
export async function listHits(cluster: Cluster, filter: HitFilter, { limit, after }: Page): Promise<Paged<Hit>> {
  const { signature } = filter
  const clauses = [
    ...runClauses(filter),
    { range: { hit_count: { gt: 0 } } },
    ...one('signatures', signature),
    ...(after ? [runsAfter(after)] : []),
  ]
  const found: Hit[] = []
  for await (const { hits } of runsInOrder(cluster, clauses, limit + 1, ['hits'])) {
    const wanted = hits.filter((hit) => signature === undefined || hit.signature === signature)
    found.push(...wanted.filter((hit) => !after || compareKeys(hitKey(hit), after) > 0))
    const page = cutPage(found, limit, hitKey)
    if (page.next) return page
  }
  return { items: found }
}

function hitKey({ time, bucket, path, log, line }: Hit): OrderKey {
  return { time, bucket, path, log, line }
}
