import type { RunKey } from '../../model/run.ts'
import { cutPage, problemKey } from '../record.ts'
import type { Page, Paged, Problem, State } from '../store.ts'
import { bulk, type Write } from './bulk.ts'
import { type Cluster, everything } from './cluster.ts'
import { idOf } from './documents.ts'
import { all, runsAfter } from './query.ts'

const STATES_AT_ONCE = 1000
const PROBLEMS = {
  query: { term: { kind: 'problem' } },
  sort: [{ at: 'desc' }, { bucket: 'asc' }, { path: 'asc' }],
} as const

/** Values are kept as JSON text: Elasticsearch takes not every name for a field. A value's key is its path. */
interface ValueDoc {
  readonly path: string
  readonly value: string
}

export async function readState(cluster: Cluster, key: string): Promise<unknown> {
  const doc = await cluster.getOne<ValueDoc>(cluster.names.state, valueId(key))
  return doc && JSON.parse(doc.source.value)
}

export async function listStates(cluster: Cluster): Promise<State[]> {
  const query = { term: { kind: 'value' } }
  const found: State[] = []
  const body = { query, sort: [{ path: 'asc' as const }], size: STATES_AT_ONCE }
  for await (const { _source } of everything<ValueDoc>(cluster, cluster.names.state, body))
    found.push({ key: _source.path, value: JSON.parse(_source.value) })
  return found
}

/** An undefined value is forgotten. */
export function stateWrite(index: string, key: string, value: unknown): Write {
  const id = valueId(key)
  return value === undefined
    ? { index, id }
    : { index, id, doc: JSON.stringify({ kind: 'value', path: key, value: JSON.stringify(value) }) }
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
export async function newestProblems(cluster: Cluster, size: number) {
  const { hits } = await cluster.search<ValueDoc>(cluster.names.state, { ...PROBLEMS, size, track_total_hits: true })
  return { problems: hits.hits.map(problemOf), problemCount: totalOf(hits) }
}

export async function listProblems(cluster: Cluster, { limit, after }: Page): Promise<Paged<Problem>> {
  const query = all([PROBLEMS.query, ...(after ? [runsAfter(after, 'at')] : [])])
  const { hits } = await cluster.search<ValueDoc>(cluster.names.state, { ...PROBLEMS, query, size: limit + 1 })
  return cutPage(hits.hits.map(problemOf), limit, problemKey)
}

function problemOf({ _source }: { readonly _source?: ValueDoc | undefined }): Problem {
  return JSON.parse(_source?.value ?? '')
}

export function totalOf({ total }: { readonly total?: number | { readonly value: number } | undefined }): number {
  return typeof total === 'object' ? total.value : (total ?? 0)
}
