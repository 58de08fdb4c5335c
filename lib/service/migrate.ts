import { realpathSync } from 'node:fs'
import { openSnapshot } from '../store/embedded/snapshot.ts'
import { entriesOf } from '../store/entries.ts'
import { type Counts, countsOf, runsIn } from '../store/entry-counts.ts'
import { fill } from '../store/fill.ts'
import type { Store } from '../store/store.ts'

/**
 * Carries all that an embedded store holds but text into another store, which is empty or in which this was begun: what
 * is there already is passed over. Throws as `fill` does.
 */
export async function migrate(
  dataDir: string,
  store: Store,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Counts> {
  const snapshot = await openSnapshot(dataDir, { text: false })
  try {
    const total = runsIn(await countsOf(snapshot.store, []))
    let done = 0
    const onEntry = () => onProgress(Math.min(++done, total), total)
    return await fill(store, entriesOf(snapshot.store), { from: realpathSync(dataDir), onEntry })
  } finally {
    snapshot.close()
  }
}
