import type { RunKey } from '../../model/run.ts'
import { bulk, type Write } from './bulk.ts'
import { type Cluster, everything } from './cluster.ts'
import type { DayIndex } from './days.ts'
import { blockId, type RunDoc, runId, type Text } from './documents.ts'

/** A version whose blocks are there and which no run names, or none will soon. */
export interface Pending {
  readonly run: RunKey
  /** `blocks`: numbers that may have been given to blocks, from 0 up to here. */
  readonly text: Text
}

/** Notes the version, by its id. */
export function pendingWrite(index: string, { bucket, path }: RunKey, text: Text): Write {
  const pending: Pending = { run: { bucket, path }, text }
  const doc = { kind: 'pending', bucket, path: text.version, value: JSON.stringify(pending) }
  return { index, id: text.version, doc: JSON.stringify(doc) }
}

/** Deletes the blocks of all versions noted that no run names; how many there were. */
export async function sweepPending(cluster: Cluster, days: readonly DayIndex[]): Promise<number> {
  const { state, runs } = cluster.names
  await cluster.refresh(state)
  const found: Pending[] = []
  const query = { term: { kind: 'pending' } }
  const sort = [{ bucket: 'asc' as const }, { path: 'asc' as const }]
  for await (const { _source } of everything<{ value: string }>(cluster, state, { query, sort, size: 1000 }))
    found.push(JSON.parse(_source.value))
  const named = await cluster.get<RunDoc>(
    found.map(({ run }) => ({ index: runs, id: runId(run), fields: ['version'] })),
  )
  const orphans = found.filter(({ text }, i) => text.version !== named[i]?.source.version)
  const kept = orphans.flatMap(({ text }) => {
    const day = days.find(({ generation }) => generation === text.generation)
    return day ? [{ text, day }] : []
  })
  for (const { text, day } of kept) {
    const ids = Array.from({ length: text.blocks }, (_, n) => blockId(text.version, n))
    await bulk(
      cluster,
      ids.map((id) => ({ index: day.index, id })),
    )
  }
  await Promise.all([...new Set(kept.map(({ day }) => day.index))].map((index) => cluster.refresh(index)))
  await bulk(
    cluster,
    found.map(({ text }) => ({ index: state, id: text.version })),
  )
  return kept.length
}
