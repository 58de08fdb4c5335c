import { exposedAs } from '../rollup.ts'
import { bulk } from './bulk.ts'
import { type Cluster, everything } from './cluster.ts'
import type { RunDoc } from './documents.ts'
import { addRunFields, markLayout } from './layout.ts'
import { all, RUN_SORT } from './query.ts'

const RUNS_AT_ONCE = 200

/**
 * Brings indices of an older layout up to this one: fields first, then the runs' documents that lack them, at last the
 * layout's number. Cut off, it starts again, and passes over what is done.
 */
export async function bringUp(cluster: Cluster): Promise<void> {
  const { client, prefix, names } = cluster
  await addRunFields(client, names)
  // A document of this layout names a branch, if only an empty one.
  const query = all([{ bool: { must_not: [{ exists: { field: 'branch' } }] } }])
  let ids: string[] = []
  const older = { query, sort: RUN_SORT, size: RUNS_AT_ONCE, _source: ['time'] }
  for await (const { _id } of everything(cluster, names.runs, older)) {
    if (_id) ids.push(_id)
    if (ids.length < RUNS_AT_ONCE) continue
    await addFields(cluster, ids)
    ids = []
  }
  await addFields(cluster, ids)
  await markLayout(client, prefix)
}

async function addFields(cluster: Cluster, ids: readonly string[]): Promise<void> {
  const index = cluster.names.runs
  const docs = await cluster.get<RunDoc>(ids.map((id) => ({ index, id })))
  const writes = docs.flatMap((doc, i) => {
    const id = ids[i]
    if (!doc || id === undefined) return []
    const { cluster: build, branch } = exposedAs(doc.source.run)
    return [{ index, id, doc: JSON.stringify({ ...doc.source, cluster: build, branch }), over: doc.state }]
  })
  await bulk(cluster, writes)
}
