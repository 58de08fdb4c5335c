import { compareIds, snowflakeAt, snowflakeTime } from '#lib/model/build-id.ts'
import type { Listing, ObjectInfo, Source } from '../source/source.ts'
import type { Scope } from './discovery.ts'
import type { Listings } from './pages.ts'
import type { RunPath } from './run-path.ts'
import { countDown, isSequential, readLatest, recentOf, runsAt } from './sequential.ts'

/** Where the ids of a job's runs lie: below `logs/` as directories, of presubmits as pointers. */
export interface Numbered {
  readonly prefix: string
  entries(page: Listing): readonly Entry[]
  run(entry: Entry): Promise<RunPath | undefined>
}

export interface Entry {
  readonly id: string
  /** Of a pointer. */
  readonly info?: ObjectInfo
}

/** What one search for runs goes by. */
export interface Search {
  readonly source: Source
  readonly scope: Scope
  readonly listings: Listings
  readonly memory: Memory
  /** Ids given after this moment are not asked for, epoch ms. */
  readonly latest: number
}

/** What later searches need not ask again. */
export interface Memory {
  /** Prefixes of jobs that counted in snowflakes before the scope. */
  readonly snowflakes: Set<string>
  /** Prefixes of jobs that count sequentially. */
  readonly sequences: Set<string>
  /** By path: of runs too old for the scope, which are looked at to find where it begins; epoch ms. */
  readonly times: Map<string, number>
  /** Targets of the pointers that were read, by name. */
  readonly links: Map<string, string>
}

const FIRST_ID = '1000000000000000000'

/**
 * The job's runs in the scope. Of a remote job those numbered by snowflakes are listed from the first that the scope's
 * start could have given, and sequential ones are counted down from the latest. Only a job that has neither an older
 * snowflake nor a latest number is listed whole, within the cap: it is new, or has just changed its numbers.
 */
export async function runsOf(job: Numbered, search: Search): Promise<readonly RunPath[]> {
  const { source, scope, memory } = search
  if (scope.from <= 0) return await runsAt(job, await entriesOf(job, search))
  if (source.local) return await recentAmong(job, search)
  if (memory.sequences.has(job.prefix)) {
    const counted = await countedRuns(job, search)
    if (counted) return counted
  }
  const between = { startOffset: snowflakeAt(scope.from), endOffset: snowflakeAt(search.latest) }
  const recent = (await entriesOf(job, search, between)).filter((entry) => !isSequential(entry.id))
  if (await countedInSnowflakes(job, search)) return await runsAt(job, recent)
  const counted = recent.length > 0 ? undefined : await countedRuns(job, search)
  return counted ?? (await recentAmong(job, search))
}

/** Before the scope: then its sequential numbers are older still. */
async function countedInSnowflakes(job: Numbered, { scope, listings, memory }: Search): Promise<boolean> {
  if (memory.snowflakes.has(job.prefix)) return true
  const offsets = { startOffset: `${job.prefix}${FIRST_ID}`, endOffset: `${job.prefix}${snowflakeAt(scope.from)}` }
  const page = await listings.first({ prefix: job.prefix, ...offsets })
  const counted = job.entries(page).some((entry) => snowflakeTime(entry.id) !== undefined)
  if (counted) memory.snowflakes.add(job.prefix)
  return counted
}

/** Undefined where the latest number is not known, or leads nowhere. */
async function countedRuns(job: Numbered, search: Search): Promise<readonly RunPath[] | undefined> {
  search.memory.sequences.delete(job.prefix)
  const latest = await readLatest(job.prefix, search)
  if (latest === undefined) return undefined
  const { runs, seen } = await recentOf(job, countDown(job, latest, search.listings), search)
  if (seen === 0) return undefined
  search.memory.sequences.add(job.prefix)
  return runs
}

async function recentAmong(job: Numbered, search: Search): Promise<readonly RunPath[]> {
  const { from } = search.scope
  const entries = await entriesOf(job, search)
  const times = entries.map((entry) => snowflakeTime(entry.id))
  const snowflakes = await runsAt(
    job,
    entries.filter((_, at) => (times[at] ?? 0) >= from),
  )
  if (times.some((time) => time !== undefined && time < from)) return snowflakes
  const descending = entries.filter((entry) => isSequential(entry.id)).sort((a, b) => compareIds(b.id, a.id))
  const { runs } = await recentOf(job, batchesOf(descending), search)
  return [...snowflakes, ...runs]
}

async function* batchesOf(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  for (let at = 0; at < entries.length; at += 20) yield entries.slice(at, at + 20)
}

async function entriesOf(
  job: Numbered,
  { listings }: Search,
  ids: { startOffset?: string; endOffset?: string } = {},
): Promise<Entry[]> {
  const found: Entry[] = []
  const offsets = Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, `${job.prefix}${id}`]))
  for await (const page of listings.pages({ prefix: job.prefix, ...offsets })) found.push(...job.entries(page))
  return found
}
