import type { Planned } from './plan.ts'
import { random } from './random.ts'

/**
 * A part of the schedule that still holds every shape, job and story: whole incidents, never half of one.
 * @param scale share of the runs wanted, 0 to 1
 */
export function slice(runs: readonly Planned[], scale: number): Planned[] {
  if (scale >= 1) return [...runs]
  const groups = [...Map.groupBy(runs, groupOf).values()]
  const ordered = random(runs[0]?.seed ?? 0, 'slice').shuffle(groups)
  const needed = new Set(ordered.filter(firstOfAKind()))
  const chosen = new Set([...needed].flat())
  for (const group of ordered) {
    if (chosen.size >= runs.length * scale) break
    for (const run of group) chosen.add(run)
  }
  return runs.filter((run) => chosen.has(run))
}

/** Runs of one outage belong together. */
function groupOf(run: Planned): string {
  const [plant] = run.plants
  return plant ? `${plant.id} ${plant.at}` : run.path
}

/** Whether a group holds something that no group before it held. */
function firstOfAKind(): (group: readonly Planned[]) => boolean {
  const seen = new Set<string>()
  return (group) => {
    const fresh = group.flatMap(kindsOf).filter((kind) => !seen.has(kind))
    for (const kind of fresh) seen.add(kind)
    return fresh.length > 0
  }
}

function kindsOf({ plants, shape, unexplained, job, type, state }: Planned): string[] {
  const odd = [...plants.map(({ id }) => id), shape, unexplained].filter((id) => id !== undefined)
  return odd.length > 0 ? odd : [job.name, `${job.style} ${type} ${state}`]
}
