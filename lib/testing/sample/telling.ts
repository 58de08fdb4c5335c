import type { Planned } from './plan.ts'
import {
  DAY,
  DAYS,
  DNS_CHANGE,
  NEAR_MISSES,
  OUTAGES,
  type PlantedChange,
  type PlantedIncident,
  type PlantedSignature,
  type SampleStory,
} from './story.ts'

/** The story that these runs tell: the whole, or a slice of it. */
export function storyOf(runs: readonly Planned[], seed: number, end: number): SampleStory {
  const start = Math.floor(end / 1000) * 1000 - DAYS * DAY
  const changes = new Map<string, PlantedChange>(
    [...OUTAGES, { id: 'dns.timeout', change: DNS_CHANGE }].flatMap(({ id, change }) =>
      change ? [[id, { at: start + change.day * DAY, title: change.title, link: change.link }] as const] : [],
    ),
  )
  const ids = [...new Set(runs.flatMap(({ plants }) => plants.map(({ id }) => id)))].sort()
  return {
    seed,
    start,
    end,
    runs: runs.length,
    signatures: ids.map((id): PlantedSignature => {
      const change = changes.get(id)
      return { id, incidents: incidentsOf(id, runs), ...(change && { change }) }
    }),
    unexplained: grouped(runs, ({ unexplained }) => (unexplained ? [unexplained] : [])),
    nearMisses: grouped(runs, ({ nearMisses, shape, state }) =>
      shape || state === 'aborted' ? [] : nearMisses,
    ).filter(({ id }) => NEAR_MISSES.some((kind) => kind === id)),
    shapes: grouped(runs, ({ shape }) => (shape ? [shape] : [])),
  }
}

function incidentsOf(id: string, runs: readonly Planned[]): PlantedIncident[] {
  const byTime = new Map<number, PlantedIncident['runs'][number][]>()
  for (const { path, job, plants } of runs) {
    for (const plant of plants) {
      if (plant.id !== id) continue
      const known = byTime.get(plant.at) ?? []
      byTime.set(plant.at, [...known, { path, job: job.name, outcome: plant.fatal ? 'died' : 'survived' }])
    }
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([at, hit]) => ({ at, runs: hit }))
}

function grouped(runs: readonly Planned[], ids: (run: Planned) => readonly string[]) {
  const found = runs.flatMap((run) => ids(run).map((id) => ({ id, path: run.path })))
  return [...Map.groupBy(found, ({ id }) => id)].map(([id, each]) => ({ id, paths: each.map(({ path }) => path) }))
}
