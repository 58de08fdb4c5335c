import type { Attempt, ChainFound, Discovery, Found, FoundRun, Scope } from './discovery.ts'

/** What each kind is asked of what the one before it has covered: its clocks may be off by as much. */
const OVERLAP_MS = 86_400_000

/**
 * Asks the kinds in turn, each for what those before it left over: all of it after one that failed, what is earlier
 * after one that reaches less far. Throws the last error where none could answer.
 */
export function chainDiscovery(kinds: readonly Discovery[]): { find(scope: Scope): Promise<ChainFound> } {
  return {
    async find(scope) {
      const chain = new Chain(scope)
      for (const kind of kinds) if (!chain.isWhole) await chain.ask(kind)
      return chain.end()
    },
  }
}

class Chain {
  readonly #scope: Scope
  readonly #attempts: Attempt[] = []
  readonly #runs = new Map<string, FoundRun>()
  readonly #gaps: string[] = []
  /** All is found that began since; absent as long as nobody has answered. */
  #from: number | undefined
  #error: unknown = new Error('no way to find runs is given')

  constructor(scope: Scope) {
    this.#scope = scope
  }

  get isWhole(): boolean {
    return this.#from !== undefined && this.#from <= this.#scope.from
  }

  async ask(discovery: Discovery): Promise<void> {
    const { kind } = discovery
    const { to = Number.POSITIVE_INFINITY, signal } = this.#scope
    const rest = Math.min(to, (this.#from ?? to) + OVERLAP_MS)
    try {
      this.#take(discovery, await discovery.find({ ...this.#scope, to: Number.isFinite(rest) ? rest : undefined }))
    } catch (error) {
      signal?.throwIfAborted()
      this.#error = error
      const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
      this.#attempts.push({ kind, runs: 0, error: why })
    }
  }

  #take({ kind }: Discovery, { runs, from, gaps, skipped }: Found): void {
    for (const run of runs) {
      const before = this.#runs.get(run.path)
      this.#runs.set(run.path, before?.failed ? before : { ...before, ...run })
    }
    this.#gaps.push(...gaps)
    this.#from = Math.min(this.#from ?? from, from)
    this.#attempts.push({ kind, runs: runs.length, from, ...(skipped ? { skipped } : {}) })
  }

  end(): ChainFound {
    if (this.#from === undefined) throw this.#error
    return { runs: [...this.#runs.values()], from: this.#from, gaps: this.#gaps, attempts: this.#attempts }
  }
}
