import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { NOW, type TestRun, type World, worldOf } from './world.ts'

/** Names of stores, and what puts runs into a world of their own in each; opened before a file's tests, closed after. */
export function bothStores(): [string, (runs: readonly TestRun[]) => Promise<World>][] {
  let dataDir: string
  let store: Store
  let worlds = 0
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'search-'))
    store = await openStore({ dataDir, mode: 'write' })
  })
  afterAll(async () => {
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  return [
    ['reference', (runs) => worldOf(runs)],
    ['embedded', (runs) => worldOf(runs, { store, dataDir, now: NOW - ++worlds * 3_600_000 })],
  ]
}
