import { isDeepStrictEqual } from 'node:util'
import type { Incident } from '../../model/incident.ts'
import type { Store } from '../store.ts'
import { bulk } from './bulk.ts'
import { type Cluster, everything } from './cluster.ts'
import { idOf } from './documents.ts'
import { all, one } from './query.ts'

interface IncidentDoc {
  readonly record: Incident
}

const SORT = [{ at: 'desc' as const }, { id: 'asc' as const }, { signature: 'asc' as const }]

/** Searches see incidents only after a refresh, which only this asks for: so a signature's change at one moment. */
export async function putIncidents(cluster: Cluster, signature: string, incidents: readonly Incident[]): Promise<void> {
  const index = cluster.names.incidents
  const old = new Map((await listIncidents(cluster, { signature })).map((incident) => [incident.id, incident]))
  const changed = incidents.filter((incident) => !isDeepStrictEqual(old.get(incident.id), asJson(incident)))
  const kept = new Set(incidents.map(({ id }) => id))
  await bulk(cluster, [
    ...changed.map((record) => {
      const { id, at, aliases } = record
      const doc = JSON.stringify({ signature, id, at, names: [id, ...aliases], record })
      return { index, id: idOf(signature, id), doc }
    }),
    ...[...old.keys()].filter((id) => !kept.has(id)).map((id) => ({ index, id: idOf(signature, id) })),
  ])
  await cluster.refresh(index)
}

export async function listIncidents(cluster: Cluster, filter: Parameters<Store['incidents']>[0]): Promise<Incident[]> {
  const { signature, id, from, to } = filter
  const range = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) }
  const query = all([...one('signature', signature), ...one('names', id), { range: { at: range } }])
  const found: Incident[] = []
  for await (const { _source } of everything<IncidentDoc>(cluster, cluster.names.incidents, {
    query,
    sort: SORT,
    size: 500,
  }))
    found.push(_source.record)
  return found
}

function asJson(incident: Incident): unknown {
  return JSON.parse(JSON.stringify(incident))
}
