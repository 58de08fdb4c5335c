import { ProwlError } from '../../errors.ts'
import type { Evidence } from '../../model/evidence.ts'
import { cutPage, evidenceKey } from '../record.ts'
import type { EvidenceFilter, Page, Paged } from '../store.ts'
import { bulk } from './bulk.ts'
import type { Cluster } from './cluster.ts'
import { idOf } from './documents.ts'
import { all, one, runsAfter } from './query.ts'
import { totalOf } from './state.ts'

const SORT = [{ at: 'desc' }, { bucket: 'asc' }, { path: 'asc' }] as const

/** Kept as JSON text: Elasticsearch takes not every name for a field. Its id is its path, of no bucket. */
interface EvidenceDoc {
  readonly record: string
}

/** The document is made, never written over. */
export async function putEvidence(cluster: Cluster, evidence: Evidence): Promise<Evidence> {
  const index = cluster.names.evidence
  if (!(await isThere(cluster)))
    throw new ProwlError('STORE_LAYOUT', `${index} is not there yet; start a worker of this version, it makes it`)
  const { id: path, frozenAt: at, signatures, bugs } = evidence
  const id = idOf(path)
  const doc = JSON.stringify({ at, bucket: '', path, signatures, bugs, record: JSON.stringify(evidence) })
  const refused = await bulk(cluster, [{ index, id, doc, over: 'nothing' }])
  return (refused.has(id) ? await findEvidence(cluster, path) : undefined) ?? evidence
}

export async function findEvidence(cluster: Cluster, id: string): Promise<Evidence | undefined> {
  if (!(await isThere(cluster))) return undefined
  const doc = await cluster.getOne<EvidenceDoc>(cluster.names.evidence, idOf(id))
  return doc && JSON.parse(doc.source.record)
}

export async function listEvidence(
  cluster: Cluster,
  { signature, bug }: EvidenceFilter,
  { limit, after }: Page,
): Promise<Paged<Evidence>> {
  if (!(await isThere(cluster))) return { items: [] }
  const query = all([
    ...one('signatures', signature),
    ...one('bugs', bug),
    ...(after ? [runsAfter({ ...after, bucket: '' }, 'at')] : []),
  ])
  const body = { query, sort: SORT, size: Math.max(1, limit) + 1, _source: ['record'] }
  const { hits } = await cluster.search<EvidenceDoc>(cluster.names.evidence, body)
  const found = hits.hits.map(({ _source }): Evidence => JSON.parse(_source?.record ?? ''))
  return cutPage(found, limit, evidenceKey)
}

export async function countEvidence(cluster: Cluster): Promise<number> {
  if (!(await isThere(cluster))) return 0
  const { hits } = await cluster.search(cluster.names.evidence, { size: 0, track_total_hits: true })
  return totalOf(hits)
}

/** Not before a worker that knows of it has been there: the web servers of a newer version may come first. */
async function isThere({ client, names }: Cluster): Promise<boolean> {
  return await client.indices.exists({ index: names.evidence })
}
