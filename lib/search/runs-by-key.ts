import type { Run, RunKey } from '../model/run.ts'
import type { Store } from '../store/store.ts'

/** Of one call, so that neither its answer nor its wait grows without bound. */
const RUNS_A_CALL = 1000

export function keyOf({ bucket, path }: RunKey): string {
  return JSON.stringify([bucket, path])
}

/** What the store has of the runs, by `keyOf`; those that are gone are missing. */
export async function runsByKey(store: Store, keys: readonly RunKey[]): Promise<ReadonlyMap<string, Run>> {
  const runs = new Map<string, Run>()
  for (let at = 0; at < keys.length; at += RUNS_A_CALL) {
    const named = keys.slice(at, at + RUNS_A_CALL).map(({ bucket, path }) => ({ bucket, path }))
    for (const run of await store.runsOf(named)) runs.set(keyOf(run), run)
  }
  return runs
}
