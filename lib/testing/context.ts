import { readConfig } from '../config.ts'
import type { Signature } from '../model/signature.ts'
import type { Context } from '../service/context.ts'
import type { Store } from '../store/store.ts'

/** A context of these signatures at a fixed `now`, for tests of use cases that search nothing. */
export function makeContext(store: Store, signatures: readonly Signature[], now: number): Context {
  return {
    store,
    config: readConfig({ NODE_ENV: 'test' }),
    catalogue: async () => ({ signatures, problems: [] }),
    searcher: {
      search: refuse,
      count: refuse,
      tally: refuse,
      find: refuse,
      catalogue: refuse,
      evaluate: refuse,
      known: refuse,
      load: () => ({ threads: 0, tasks: 0, gate: { underWay: 0, waiting: 0 } }),
      close: async () => {},
    },
    now: () => now,
  }
}

async function refuse(): Promise<never> {
  throw new Error('this context searches nothing')
}
