import { group } from 'd3-array'
import type { Hit } from '../model/hit.ts'
import type { Incident, IncidentRun, RunOutcome } from '../model/incident.ts'
import type { Run, RunResult } from '../model/run.ts'
import { pullName } from '../store/record.ts'
import type { Cluster } from './cluster.ts'
import { runText } from './runs.ts'
import { votesOf } from './votes.ts'

/** What a cluster of hits says once the runs are known; a run that is not is told by its hits alone. */
export function describe(
  signature: string,
  cluster: Cluster,
  runs: ReadonlyMap<string, Run>,
): Omit<Incident, 'id' | 'aliases'> {
  const byRun = [...group(cluster.hits, runText)]
  const known = byRun.flatMap(([key]) => runs.get(key) ?? [])
  const incidentRuns = byRun.map(([key, hits]) => incidentRun(hits, runs.get(key)))
  return {
    signature,
    from: cluster.from,
    to: cluster.to,
    at: Math.floor((cluster.from.earliest + cluster.from.latest) / 2),
    causes: causesOf(cluster.hits),
    runs: incidentRuns,
    jobs: unique(incidentRuns.map((run) => run.job)).sort(),
    clusters: unique(known.flatMap((run) => run.cluster ?? [])).sort(),
    ...votesOf(incidentRuns),
  }
}

function incidentRun(hits: readonly Hit[], run: Run | undefined): IncidentRun {
  const [hit] = hits
  if (!hit) throw new RangeError('a run of an incident has a hit')
  const causes = causesOf(hits)
  return {
    bucket: hit.bucket,
    path: hit.path,
    job: hit.job,
    buildId: run?.buildId ?? hit.path.slice(hit.path.lastIndexOf('/') + 1),
    time: hit.time,
    result: run?.result ?? 'lost',
    outcome: outcomeOf(run?.result, hits),
    ...(run && about(run)),
    ...(causes.length > 0 && { causes }),
  }
}

function about({ type, cluster, refs, failure }: Run): Partial<IncidentRun> {
  return {
    type,
    ...(cluster !== undefined && { cluster }),
    ...(refs?.baseRef !== undefined && { branch: refs.baseRef }),
    ...(failure && { failure: failure.group }),
    ...(refs && refs.pulls.length > 0 && { pulls: refs.pulls.map(({ number }) => pullName({ ...refs, number })) }),
  }
}

/** A run dies of the failure unless each resource that was hit recovered from it (docs/statistics.md). */
function outcomeOf(result: RunResult | undefined, hits: readonly Hit[]): RunOutcome {
  if (result === 'success') return 'passed'
  if (result !== 'failure' && result !== 'error') return 'other'
  return hits.every(({ recovered }) => recovered) ? 'later' : 'died'
}

function causesOf(hits: readonly Hit[]): string[] {
  const placed = [...hits].sort(
    (a, b) =>
      a.placed.earliest + a.placed.latest - (b.placed.earliest + b.placed.latest) ||
      (a.path === b.path && a.log === b.log ? a.line - b.line : 0),
  )
  return unique(placed.flatMap((hit) => hit.cause || []))
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
