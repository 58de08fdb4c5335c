import { type Config, readConfig } from '../config.ts'
import { createSearcher } from '../search/engine.ts'
import { openStore } from '../store/open.ts'
import type { Context } from './context.ts'
import { followCatalogue } from './follow-catalogue.ts'
import { createMemo } from './memo.ts'
import { recentPeers } from './peer.ts'
import { recentCharts } from './peer-chart.ts'

/** Next bundles a module several times over; the process still has one store and one pool of threads. */
const shared: typeof globalThis & { prowlContext?: Promise<Context> } = globalThis

/** The process's context, opened at the first call; a failure is thrown and tried again at the next. */
export function context(): Promise<Context> {
  shared.prowlContext ??= openContext(readConfig()).catch((error: unknown) => {
    delete shared.prowlContext
    throw error
  })
  return shared.prowlContext
}

async function openContext(config: Config): Promise<Context> {
  const { dataDir, elastic } = config
  const store = await openStore({ dataDir, elastic, mode: 'read', thread: true })
  return {
    store,
    config,
    catalogue: followCatalogue(config.signatureDirs),
    searcher: createSearcher(elastic ? { store } : { store, dataDir }),
    memo: createMemo(Date.now),
    peers: recentPeers(Date.now),
    charts: recentCharts(Date.now),
    now: Date.now,
  }
}
