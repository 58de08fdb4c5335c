import type { Track } from '../../model/hit.ts'
import type { RunKey } from '../../model/run.ts'
import { keptFindings } from '../record.ts'
import type { RunFindings } from '../store.ts'
import { bulk, type Write } from './bulk.ts'
import { type Cluster, untilStable } from './cluster.ts'
import { exposuresOf, type Findings, findingsOf, type RunDoc, runId } from './documents.ts'

const CONFLICTS = 5

interface TracksDoc {
  readonly tracks: readonly Track[]
}

/** Puts tracks into a document of their own. */
export function tracksWrite(index: string, id: string, tracks: readonly Track[]): Write {
  return { index, id, doc: JSON.stringify({ tracks }) }
}

/** Undefined where a document that a run named was replaced meanwhile. */
export async function tracksOf(
  cluster: Cluster,
  docs: readonly (RunDoc | undefined)[],
): Promise<(readonly Track[])[] | undefined> {
  const ids = docs.flatMap((doc) => doc?.tracks ?? [])
  const found = await cluster.get<TracksDoc>(ids.map((id) => ({ index: cluster.names.tracks, id })))
  const byId = new Map(ids.map((id, i) => [id, found[i]?.source.tracks]))
  if (found.includes(undefined)) return undefined
  return docs.map((doc) => byId.get(doc?.tracks ?? '') ?? [])
}

/** Run by run as asked. */
export async function findTracks(cluster: Cluster, signature: string, runs: readonly RunKey[]): Promise<Track[]> {
  const index = cluster.names.runs
  const tracks = await untilStable(async () => {
    const docs = await cluster.get<RunDoc>(runs.map((run) => ({ index, id: runId(run), fields: ['tracks'] })))
    return tracksOf(
      cluster,
      docs.map((doc) => doc?.source),
    )
  })
  return tracks.flat().filter((track) => track.signature === signature)
}

/** Puts what the runs' text says of the signatures in place of what it said before; how many runs are still of that version. */
export async function replaceFindings(
  cluster: Cluster,
  signatures: readonly string[],
  runs: readonly RunFindings[],
): Promise<number> {
  let done = 0
  let left = runs
  for (let i = 0; left.length > 0; i++) {
    const asked = left
    const changes = await untilStable(() => changesOf(cluster, signatures, asked))
    await bulk(
      cluster,
      changes.flatMap(({ tracks }) => tracks),
    )
    const refused = await bulk(
      cluster,
      changes.map(({ write }) => write),
    )
    const made = changes.filter(({ write }) => !refused.has(write.id))
    await bulk(
      cluster,
      made.flatMap(({ stale }) => stale),
    )
    done += made.length
    if (i === CONFLICTS) break
    left = left.filter((run) => refused.has(runId(run)))
  }
  return done
}

async function changesOf(cluster: Cluster, signatures: readonly string[], runs: readonly RunFindings[]) {
  const index = cluster.names.runs
  const found = await cluster.get<RunDoc>(runs.map((run) => ({ index, id: runId(run) })))
  const known = runs.flatMap((given, i) => {
    const doc = found[i]
    return doc?.source.fingerprint === given.fingerprint ? [{ given, ...doc }] : []
  })
  const tracks = await tracksOf(
    cluster,
    known.map(({ source }) => source),
  )
  if (!tracks) return undefined
  return known.map(({ given, source, state }, i) => {
    const merged = merge(
      signatures,
      { ...source, exposures: exposuresOf(source), tracks: tracks[i] ?? [] },
      given,
      source,
    )
    const { tracks: old, ...rest } = source
    const doc: RunDoc = { ...rest, ...findingsOf(merged, source.version, source.revision + 1) }
    const at = cluster.names.tracks
    return {
      tracks: doc.tracks ? [tracksWrite(at, doc.tracks, merged.tracks)] : [],
      write: { index, id: runId(given), doc: JSON.stringify(doc), over: state },
      stale: old ? [{ index: at, id: old }] : [],
    }
  })
}

function merge(signatures: readonly string[], old: Findings, given: Findings, { run }: RunDoc): Findings {
  const others = (of: { readonly signature: string }) => !signatures.includes(of.signature)
  return {
    ...keptFindings(
      { hits: [...old.hits.filter(others), ...given.hits], tracks: [...old.tracks.filter(others), ...given.tracks] },
      run,
    ),
    exposures: [...old.exposures.filter(others), ...given.exposures],
  }
}
