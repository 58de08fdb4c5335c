import pLimit from 'p-limit'
import type { Source } from '../source/source.ts'
import { snowflakeAt, snowflakeTime } from './build-id.ts'
import type { Discovery, Scope } from './discovery.ts'
import { listPage, names, pages } from './pages.ts'
import { findPointers } from './pointers.ts'
import { parseRunPath, type RunPath } from './run-path.ts'
import { recentSequential } from './sequential.ts'

/** Listings under way at once. */
const PARALLEL = 8

export interface ListingOptions {
  /** Pages of a thousand names that one prefix is listed by at most. */
  readonly maxPages?: number
}

/**
 * Discovery by listing with a delimiter: jobs, then the ids of each from the first that the scope's start could have
 * given. Artifacts are never listed. Presubmits of a remote bucket come from their pointers, as its pull requests reach
 * years back; those of a directory from the tree itself.
 */
export function listingDiscovery(source: Source, _options: ListingOptions = {}): Discovery {
  const limit = pLimit(PARALLEL)
  return {
    kind: 'listing',
    async find(scope) {
      const walk: Walk = { source, scope, each: (items, find) => flat(items.map((item) => limit(() => find(item)))) }
      const logs = await jobsBelow(walk, 'logs/')
      const pulls = source.local ? await pullTree(walk) : await remotePulls(walk)
      return { runs: [...logs, ...pulls], from: scope.from, gaps: [] }
    },
  }
}

interface Walk {
  readonly source: Source
  readonly scope: Scope
  /** Bounded, in parallel; never nested. */
  readonly each: <T>(items: readonly T[], find: (item: T) => Promise<readonly RunPath[]>) => Promise<RunPath[]>
}

async function flat(found: readonly Promise<readonly RunPath[]>[]): Promise<RunPath[]> {
  return (await Promise.all(found)).flat()
}

/** Runs of the jobs that lie right below `prefix`. */
async function jobsBelow(walk: Walk, prefix: string): Promise<RunPath[]> {
  const jobs = await names(walk.source, { prefix }, walk.scope.signal)
  return await walk.each(jobs.filter(walk.scope.jobs), (job) => runsOfJob(walk, `${prefix}${job}/`))
}

async function runsOfJob({ source, scope }: Walk, prefix: string): Promise<readonly RunPath[]> {
  const ids = await idsBelow(source, prefix, scope)
  const runs = ids.flatMap((id) => parseRunPath(`${prefix}${id}`) ?? [])
  if (scope.from <= 0) return runs
  const snowflakes = runs.filter((run) => (snowflakeTime(run.buildId) ?? 0) >= scope.from)
  const sequential = runs.filter((run) => snowflakeTime(run.buildId) === undefined)
  const older = runs.some((run) => (snowflakeTime(run.buildId) ?? scope.from) < scope.from)
  // A job that has counted in snowflakes since before the scope gave its sequential numbers earlier still.
  return older ? snowflakes : [...snowflakes, ...(await recentSequential(source, sequential, scope))]
}

/**
 * Ids below a job. Of a remote one, from the first snowflake of the scope, unless the job counts sequentially: those
 * numbers sort anywhere among the snowflakes.
 */
async function idsBelow(source: Source, prefix: string, scope: Scope): Promise<readonly string[]> {
  if (source.local || scope.from <= 0) return await names(source, { prefix }, scope.signal)
  const recent = await names(source, { prefix, startOffset: `${prefix}${snowflakeAt(scope.from)}` }, scope.signal)
  if (recent.length > 0 && !recent.some(isSequential)) return recent
  const first = await listPage(source, { prefix }, scope.signal)
  const some = first.prefixes.map((name) => name.slice(prefix.length, -1))
  if (some.some((id) => (snowflakeTime(id) ?? scope.from) < scope.from)) return recent.filter((id) => !isSequential(id))
  return some.some(isSequential) || recent.some(isSequential) ? await names(source, { prefix }, scope.signal) : recent
}

function isSequential(id: string): boolean {
  return /^\d+$/.test(id) && snowflakeTime(id) === undefined
}

const PULL = 'pr-logs/pull/'

/** `pr-logs/pull/[<seg>/](<pr>|batch)/<job>/<id>`, whole. */
async function pullTree(walk: Walk): Promise<RunPath[]> {
  const { source, scope } = walk
  const first = await names(source, { prefix: PULL }, scope.signal)
  const found: RunPath[] = []
  for (const name of first) {
    if (isPull(name)) found.push(...(await jobsBelow(walk, `${PULL}${name}/`)))
    else
      for (const pull of await names(source, { prefix: `${PULL}${name}/` }, scope.signal))
        if (isPull(pull)) found.push(...(await jobsBelow(walk, `${PULL}${name}/${pull}/`)))
  }
  return found
}

async function remotePulls(walk: Walk): Promise<RunPath[]> {
  const { source, scope } = walk
  const jobs = await names(source, { prefix: 'pr-logs/directory/' }, scope.signal)
  if (jobs.length === 0) return await pullTree(walk)
  const presubmits = await walk.each(jobs.filter(scope.jobs), (job) => findPointers(source, job, scope))
  return [...presubmits, ...(await remoteBatches(walk))]
}

/** Batch runs have no pointers. Pull request numbers are passed over: names with a letter sort after them. */
async function remoteBatches(walk: Walk): Promise<RunPath[]> {
  const segments = await names(walk.source, { prefix: PULL, startOffset: `${PULL}:` }, walk.scope.signal)
  const found: RunPath[] = []
  for (const segment of segments)
    found.push(...(await jobsBelow(walk, segment === 'batch' ? `${PULL}batch/` : `${PULL}${segment}/batch/`)))
  return found
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
