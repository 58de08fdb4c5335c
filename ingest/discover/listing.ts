import pLimit from 'p-limit'
import { isProwlError } from '#lib/errors.ts'
import type { Source } from '../source/source.ts'
import type { Discovery, Found, Scope } from './discovery.ts'
import { type Memory, type Numbered, runsOf, type Search } from './job-runs.ts'
import { Listings, pages } from './pages.ts'
import { pointersOf } from './pointers.ts'
import { parseRunPath, type RunPath } from './run-path.ts'

export interface ListingOptions {
  /** Pages that one prefix is listed by at most. */
  readonly maxPages?: number
  /** Epoch ms; ids that lie a year ahead of it are not looked for. */
  readonly now?: () => number
}

/** Jobs under way at once. */
const PARALLEL = 8
const MAX_PAGES = 1000
const MAX_LINKS = 200_000
/** A clock that is wrong, this host's or another's, loses no run; the sequential numbers that sort between are few. */
const AHEAD_MS = 365 * 86_400_000
/** So many jobs that can't be listed end the search: the bucket is out of reach. */
const MAX_FAILED = 20

/**
 * Discovery by listing with a delimiter: jobs, then the runs of each. Artifacts are never listed. Presubmits of a remote
 * bucket come from their pointers, as its pull requests reach years back; those of a directory from the tree itself.
 */
export function listingDiscovery(source: Source, options: ListingOptions = {}): Discovery {
  const memory: Memory = { snowflakes: new Set(), sequences: new Set(), times: new Map(), links: new Map() }
  return { kind: 'listing', find: (scope) => new ListingSearch(source, scope, memory, options).find() }
}

class ListingSearch implements Search {
  readonly source: Source
  readonly scope: Scope
  readonly memory: Memory
  readonly listings: Listings
  readonly latest: number
  readonly #limit = pLimit(PARALLEL)
  #failed = 0

  constructor(source: Source, scope: Scope, memory: Memory, options: ListingOptions) {
    const { maxPages = MAX_PAGES, now = Date.now } = options
    this.source = source
    this.scope = scope
    this.memory = memory
    this.listings = new Listings(source, maxPages, scope.signal)
    this.latest = scope.to ?? now() + AHEAD_MS
  }

  async find(): Promise<Found> {
    if (this.memory.links.size > MAX_LINKS) this.memory.links.clear()
    const logs = await this.#jobsBelow('logs/')
    const pulls = this.source.local ? await this.#pullTree() : await this.#remotePulls()
    return { runs: [...logs, ...pulls], from: this.scope.from, gaps: this.listings.gaps }
  }

  /** Runs of the jobs that lie right below `prefix`. */
  async #jobsBelow(prefix: string): Promise<RunPath[]> {
    const jobs = await this.listings.names({ prefix })
    return await this.#each(jobs, (job) => directoriesOf(`${prefix}${job}/`))
  }

  /** Bounded, in parallel; never nested. A job that can't be listed is told, and stops no other. */
  async #each(jobs: readonly string[], numbered: (job: string) => Numbered): Promise<RunPath[]> {
    const found = jobs.filter(this.scope.jobs).map((job) =>
      this.#limit(async () => {
        const place = numbered(job)
        return await runsOf(place, this).catch((error: unknown) => this.#missed(place.prefix, error))
      }),
    )
    return (await Promise.all(found)).flat()
  }

  #missed(prefix: string, error: unknown): readonly RunPath[] {
    const passing = isProwlError(error) && (error.code === 'BUCKET_UNREACHABLE' || error.code.startsWith('OBJECT_'))
    if (!passing || this.scope.signal?.aborted || ++this.#failed > MAX_FAILED) throw error
    this.listings.gaps.push(`${prefix}: not listed (${error.message}); runs may be missing`)
    return []
  }

  /** `pr-logs/pull/[<seg>/](<pr>|batch)/<job>/<id>`; of a remote bucket within the cap, the greatest numbers first. */
  async #pullTree(): Promise<RunPath[]> {
    const below = async (prefix: string) => {
      const listed = await this.listings.names({ prefix })
      return listed.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    }
    const found: RunPath[] = []
    const end = this.source.local ? Number.POSITIVE_INFINITY : this.listings.taken + this.listings.maxPages
    const take = async (prefix: string) => {
      if (this.listings.taken < end) found.push(...(await this.#jobsBelow(prefix)))
      return this.listings.taken < end
    }
    for (const name of await below(PULL)) {
      const prefix = `${PULL}${name}/`
      const pulls = isPull(name) ? [prefix] : (await below(prefix)).filter(isPull).map((pull) => `${prefix}${pull}/`)
      for (const pull of pulls) if (!(await take(pull))) return this.#cutTree(found)
    }
    return found
  }

  #cutTree(found: RunPath[]): RunPath[] {
    this.listings.cut(PULL, this.listings.maxPages)
    return found
  }

  async #remotePulls(): Promise<RunPath[]> {
    const jobs = await this.listings.names({ prefix: 'pr-logs/directory/' })
    if (jobs.length === 0) return await this.#pullTree()
    const presubmits = await this.#each(jobs, (job) => pointersOf(job, this))
    return [...presubmits, ...(await this.#remoteBatches())]
  }

  /** Batch runs have no pointers. Pull request numbers are passed over: names with a letter sort after them. */
  async #remoteBatches(): Promise<RunPath[]> {
    const segments = await this.listings.names({ prefix: PULL, startOffset: `${PULL}:` })
    const found: RunPath[] = []
    for (const segment of segments)
      found.push(...(await this.#jobsBelow(segment === 'batch' ? `${PULL}batch/` : `${PULL}${segment}/batch/`)))
    return found
  }
}

const PULL = 'pr-logs/pull/'

function directoriesOf(prefix: string): Numbered {
  return {
    prefix,
    entries: ({ prefixes }) => prefixes.map((name) => ({ id: name.slice(prefix.length, -1) })),
    run: async ({ id }) => parseRunPath(`${prefix}${id}`),
  }
}

function isPull(name: string): boolean {
  return name === 'batch' || /^\d+$/.test(name)
}

/** Whether the bucket holds anything in the places where runs are. */
export async function holdsRuns(source: Source): Promise<boolean> {
  for (const prefix of ['logs/', PULL])
    for await (const page of pages(source, { prefix })) if (page.prefixes.length > 0) return true
  return false
}
