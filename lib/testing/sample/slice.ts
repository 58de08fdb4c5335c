import type { Planned } from './plan.ts'
import { random } from './random.ts'

/** So many runs of each oddity and each kind of plain run, and so many whole incidents of each signature, come first. */
const EACH = 1

/**
 * A part of the schedule that still holds every shape, job and story: whole incidents, never half of one.
 * @param scale share of the runs wanted, 0 to 1
 */
export function slice(runs: readonly Planned[], scale: number): Planned[] {
  if (scale >= 1) return [...runs]
  const groups = [...Map.groupBy(runs, groupOf).values()]
  const ordered = random(runs[0]?.seed ?? 0, 'slice').shuffle(groups)
  const needed = new Set(ordered.filter(firstOf(EACH)))
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

function firstOf(count: number): (group: readonly Planned[]) => boolean {
  const seen = new Map<string, number>()
  return (group) => {
    const wanted = group.flatMap(kindsOf).filter((kind) => (seen.get(kind) ?? 0) < count)
    for (const kind of new Set(wanted)) seen.set(kind, (seen.get(kind) ?? 0) + 1)
    return wanted.length > 0
  }
}

function kindsOf(run: Planned): string[] {
  const what = [...run.plants.map(({ id }) => id), run.shape, run.unexplained].filter((id) => id !== undefined)
  return what.length > 0 ? what : [`${run.job.name} ${run.type} ${run.state}`]
}
