import type { Attempt, ChainFound, Discovery, Scope } from './discovery.ts'

/** Asks each kind in turn for what those before it left over. */
export function chainDiscovery(kinds: readonly Discovery[]): { find(scope: Scope): Promise<ChainFound> } {
  return {
    async find(scope) {
      const last = kinds.at(-1)
      if (!last) throw new Error('no way to find runs')
      const found = await last.find(scope)
      const attempts: Attempt[] = [{ kind: last.kind, runs: found.runs.length, from: found.from }]
      return { ...found, attempts }
    },
  }
}
