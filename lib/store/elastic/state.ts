import type { RunKey } from '../../model/run.ts'
import type { Problem } from '../store.ts'
import { bulk, type Write } from './bulk.ts'
import type { Cluster } from './cluster.ts'
import { idOf } from './documents.ts'

/** Values are kept as JSON text: Elasticsearch takes not every name for a field. */
interface ValueDoc {
  readonly value: string
}

export async function readState(cluster: Cluster, key: string): Promise<unknown> {
  const doc = await cluster.getOne<ValueDoc>(cluster.names.state, valueId(key))
  return doc && JSON.parse(doc.source.value)
}

/** An undefined value is forgotten. */
export function stateWrite(index: string, key: string, value: unknown): Write {
  const id = valueId(key)
  return value === undefined
    ? { index, id }
    : { index, id, doc: JSON.stringify({ kind: 'value', value: JSON.stringify(value) }) }
}

export function deleteState(index: string, id: string): Write {
  return { index, id }
}

function valueId(key: string): string {
  return idOf('value', key)
}

export function problemId({ bucket, path }: RunKey): string {
  return idOf('problem', bucket, path)
}

export async function putProblem(cluster: Cluster, problem: Problem): Promise<void> {
  const { bucket, path, at } = problem
  const doc = JSON.stringify({ kind: 'problem', at, bucket, path, value: JSON.stringify(problem) })
  await bulk(cluster, [{ index: cluster.names.state, id: problemId(problem), doc }])
}

/** The newest `size` of them, and how many there are. */
export async function listProblems(cluster: Cluster, size: number) {
  const { hits } = await cluster.search<ValueDoc>(cluster.names.state, {
    query: { term: { kind: 'problem' } },
    sort: [{ at: 'desc' }, { bucket: 'asc' }, { path: 'asc' }],
    size,
    track_total_hits: true,
  })
  const problems = hits.hits.map((hit): Problem => JSON.parse(hit._source?.value ?? ''))
  return { problems, problemCount: totalOf(hits) }
}

export function totalOf({ total }: { readonly total?: number | { readonly value: number } | undefined }): number {
  return typeof total === 'object' ? total.value : (total ?? 0)
}
