import pLimit from 'p-limit'
import { z } from 'zod'
import { ProwlError } from '#lib/errors.ts'
import { snowflakeTime } from '#lib/model/build-id.ts'
import { text } from '../read/documents.ts'
import { readText } from '../read/read-text.ts'
import type { ObjectInfo, Source } from '../source/source.ts'
import type { Discovery, FoundRun, Scope } from './discovery.ts'
import { parseRunPath } from './run-path.ts'

export interface IndexOptions {
  /** Pages that are listed at most. */
  readonly maxPages?: number
  /** Epoch ms; where a listing begins that goes back day by day. */
  readonly now?: () => number
}

const PREFIX = 'index/job-state/'
const DAY = 86_400_000
/** OpenShift's jobs are stopped after 24 hours, and have as long again to be uploaded. */
const LONGEST_RUN = 2 * DAY
const MAX_PAGES = 1000
const MAX_OBJECT = 64 * 1024
const PARALLEL = 8

/**
 * Runs by `index/job-state/<RFC 3339>/<job>/<build>`, written as a run's finished.json is (openshift/ci-search-functions,
 * functions.go): the time is the end of the run, so that those which began in the scope are found from the scope's
 * start on. Runs that never end are not in it, nor those whose finished.json has no time. DISCOVERY_FAILED where the
 * bucket has no such index.
 */
export function indexDiscovery(source: Source, options: IndexOptions = {}): Discovery {
  return { kind: 'index', find: (scope) => new IndexSearch(source, scope, options).find() }
}

class IndexSearch {
  readonly #source: Source
  readonly #scope: Scope
  readonly #now: number
  #pagesLeft: number
  readonly #limit = pLimit(PARALLEL)
  readonly #runs = new Map<string, FoundRun>()
  readonly #skipped: Record<string, number> = {}

  constructor(source: Source, scope: Scope, { maxPages = MAX_PAGES, now = Date.now }: IndexOptions) {
    this.#source = source
    this.#scope = scope
    this.#now = now()
    this.#pagesLeft = maxPages
  }

  async find() {
    const begins = await this.#begins()
    if (begins === undefined)
      throw new ProwlError(
        'DISCOVERY_FAILED',
        `${this.#source.bucket}: no index, ${PREFIX} holds nothing; find runs by Deck or by listing`,
      )
    const from = await this.#backTo(Math.max(begins, this.#scope.from))
    return { runs: [...this.#runs.values()], from, gaps: [], skipped: this.#skipped }
  }

  /** The first entry's time; of an entry whose clock was days off from its id's nothing follows. */
  async #begins(): Promise<number | undefined> {
    const { objects } = await this.#list({})
    const times = objects.flatMap(({ name }) => {
      const entry = parseName(name)
      if (!entry) return []
      const given = snowflakeTime(entry.buildId) ?? entry.time
      return Math.abs(given - entry.time) <= LONGEST_RUN ? entry.time : []
    })
    return times[0] ?? (objects.length > 0 ? this.#now : undefined)
  }

  /** Day by day, the newest first, so that a cap on pages leaves out the oldest; from when on all is read. */
  async #backTo(from: number): Promise<number> {
    const last = this.#scope.to === undefined ? undefined : this.#scope.to + LONGEST_RUN
    let end = last
    let start = Math.min(last ?? this.#now, this.#now)
    do {
      start = Math.max(start - DAY, from)
      if (!(await this.#between(start, end))) return Math.max(end ?? this.#now, from)
      end = start
    } while (start > from)
    return from
  }

  /** Whether all pages between could be had. */
  async #between(start: number, end: number | undefined): Promise<boolean> {
    let pageToken: string | undefined
    do {
      if (this.#pagesLeft-- <= 0) return false
      const offsets = { startOffset: offset(start), ...(end === undefined ? {} : { endOffset: offset(end) }) }
      const page = await this.#list({ ...offsets, ...(pageToken === undefined ? {} : { pageToken }) })
      await Promise.all(page.objects.map((info) => this.#limit(() => this.#take(info))))
      pageToken = page.nextPageToken
    } while (pageToken !== undefined)
    return true
  }

  #list(query: { startOffset?: string; endOffset?: string; pageToken?: string }) {
    const { signal } = this.#scope
    return this.#source.list({ prefix: PREFIX, ...query, ...(signal ? { signal } : {}) })
  }

  async #take(info: ObjectInfo): Promise<void> {
    const job = parseName(info.name)?.job
    if (job !== undefined && !this.#scope.jobs(job)) return this.#skip('of another job')
    const { link, state } = await this.#entry(info)
    const run = runOf(link)
    if (!run) return this.#skip('without a run')
    if (!this.#scope.jobs(run.job)) return this.#skip('of another job')
    this.#runs.set(run.path, state === undefined || state === 'success' ? run : { ...run, failed: true })
  }

  async #entry(info: ObjectInfo): Promise<z.infer<typeof Entry>> {
    if (info.metadata?.link) return Entry.parse(info.metadata)
    try {
      return Entry.parse(JSON.parse(await readText(this.#source, info, MAX_OBJECT, this.#scope.signal)))
    } catch (error) {
      this.#scope.signal?.throwIfAborted()
      if (error instanceof SyntaxError || error instanceof z.ZodError) return {}
      throw error
    }
  }

  #skip(why: string): void {
    this.#skipped[why] = (this.#skipped[why] ?? 0) + 1
  }
}

/** Alike in an object's metadata and in its text; `state` is success, failed or error. */
const Entry = z.object({ link: text, state: text }).partial()

function offset(time: number): string {
  return `${PREFIX}${new Date(Math.max(0, time)).toISOString().slice(0, 19)}`
}

function parseName(name: string): { time: number; job: string; buildId: string } | undefined {
  const [at = '', job, buildId, ...more] = name.slice(PREFIX.length).split('/')
  const time = Date.parse(at)
  return job && buildId && more.length === 0 && Number.isFinite(time) ? { time, job, buildId } : undefined
}

/** The link is an address, with what is no letter of one escaped; its bucket may since have got another name. */
function runOf(link: string | undefined): FoundRun | undefined {
  const path = /^[a-z]+:\/\/[^/]+\/(.+?)\/*$/s.exec(link?.trim() ?? '')?.[1]
  return path === undefined ? undefined : (parseRunPath(decoded(path)) ?? parseRunPath(path))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
