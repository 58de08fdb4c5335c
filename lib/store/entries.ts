import pLimit from 'p-limit'
import type { Evidence } from '../model/evidence.ts'
import type { Incident } from '../model/incident.ts'
import { CURSOR_KEY } from '../model/ingest-state.ts'
import type { OrderKey, Paged, Problem, State, Store, StoredRun } from './store.ts'

/** One thing of all that a store holds but text: a store told through its port, for another store or a file. */
export type Entry =
  | { readonly run: StoredRun }
  | { readonly signature: string; readonly incidents: readonly Incident[] }
  | { readonly problem: Problem }
  | { readonly evidence: Evidence }
  | { readonly state: State }

/** Under this key a store that is being filled says from where; gone when it is done. */
export const FILLING_KEY = 'filling'

const PAGE = 500
/** Each may have hundreds of kB. */
const EVIDENCE_PAGE = 20
const RUNS_AT_ONCE = 8

/**
 * All entries of a store. Where passes stood is left out: the next one looks at the whole bucket, and so reads again
 * what no entry holds, the text.
 */
export async function* entriesOf(store: Store): AsyncGenerator<Entry> {
  const limit = pLimit(RUNS_AT_ONCE)
  for await (const runs of pagesOf((after) => store.runs({}, { limit: PAGE, ...after }))) {
    const stored = await Promise.all(runs.map((run) => limit(() => store.run(run))))
    for (const run of stored) if (run) yield { run }
  }
  const bySignature = Map.groupBy(await store.incidents({}), (incident) => incident.signature)
  for (const [signature, incidents] of bySignature) yield { signature, incidents }
  for await (const problems of problemsOf(store)) for (const problem of problems) yield { problem }
  for await (const all of evidencesOf(store)) for (const evidence of all) yield { evidence }
  for (const state of await store.states()) if (isCarried(state)) yield { state }
}

export function problemsOf(store: Store): AsyncGenerator<readonly Problem[]> {
  return pagesOf((after) => store.problems({ limit: PAGE, ...after }))
}

export function evidencesOf(store: Store): AsyncGenerator<readonly Evidence[]> {
  return pagesOf((after) => store.listEvidence({}, { limit: EVIDENCE_PAGE, ...after }))
}

export function isCarried({ key }: State): boolean {
  return key !== FILLING_KEY && !key.startsWith(CURSOR_KEY)
}

async function* pagesOf<T>(read: (page: { after?: OrderKey }) => Promise<Paged<T>>): AsyncGenerator<readonly T[]> {
  for (let page: { after?: OrderKey } | undefined = {}; page; ) {
    const { items, next }: Paged<T> = await read(page)
    yield items
    page = next && { after: next }
  }
}
