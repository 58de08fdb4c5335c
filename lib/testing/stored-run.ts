import type { Hit } from '../model/hit.ts'
import type { Log, Run } from '../model/run.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { BlockCutter } from '../text/blocks.ts'

/** The bytes of a run's logs by name. */
export type LogBytes = Readonly<Record<string, Uint8Array>>

/** Publishes a run with the text of its logs, cut as ingest cuts it. */
export async function storeRun(store: Store, run: Run, texts: LogBytes, hits: readonly Hit[] = []): Promise<void> {
  const version = await store.begin(run)
  const logs: Log[] = []
  for (const [name, bytes] of Object.entries(texts)) {
    const cutter = new BlockCutter()
    const kind = name === 'build-log.txt' ? 'build-log' : 'container-log'
    await store.append(version, { name, kind }, [...cutter.push(bytes), ...cutter.end()])
    logs.push({ name, kind, bytes: bytes.length, lines: cutter.lines })
  }
  await store.publish(version, { run, fingerprint: 'f', firstSeen: run.time, logs, hits, tracks: [], exposures: [] })
}

/** An embedded store of these runs, and of what `more` puts into it, in a directory, closed again: for what opens it as the server does. */
export async function writeStore(
  dataDir: string,
  runs: readonly (readonly [Run, LogBytes])[],
  more: (store: Store) => Promise<void> = async () => {},
): Promise<void> {
  const store = await openStore({ dataDir, mode: 'write' })
  for (const [run, texts] of runs) await storeRun(store, run, texts)
  await more(store)
  await store.close()
}
