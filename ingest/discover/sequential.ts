import { isProwlError } from '#lib/errors.ts'
import { compareIds, snowflakeTime } from '#lib/model/build-id.ts'
import { Finished, Started } from '../read/documents.ts'
import { readText } from '../read/read-text.ts'
import type { Entry, Numbered, Search } from './job-runs.ts'
import type { Listings } from './pages.ts'
import type { RunPath } from './run-path.ts'

/** So many runs in a row that are too old end the search. */
const OLD_IN_A_ROW = 5
/** Numbers that are asked for at once. */
const BATCH = 50n
/** So many batches in a row of which nothing is there end the count. */
const MISSING_IN_A_ROW = 2
const MAX_DOCUMENT = 256 * 1024

export function isSequential(id: string): boolean {
  return /^\d+$/.test(id) && snowflakeTime(id) === undefined
}

/** The number in `latest-build.txt`: of the last writer, not the greatest. Undefined where it has none, or a snowflake. */
export async function readLatest(prefix: string, { source, scope }: Search): Promise<bigint | undefined> {
  try {
    const id = (await readText(source, { name: `${prefix}latest-build.txt` }, 64, scope.signal)).trim()
    return isSequential(id) && id.length <= 15 ? BigInt(id) : undefined
  } catch (error) {
    if (isProwlError(error) && error.code === 'OBJECT_NOT_FOUND') return undefined
    throw error
  }
}

/** What is there of the numbers around and below the latest, the greatest first. */
export async function* countDown(job: Numbered, latest: bigint, listings: Listings): AsyncGenerator<readonly Entry[]> {
  let low = atLeastOne(latest - BATCH + 1n)
  let high = latest + BATCH
  const around = await numbersBetween(job, low, high, listings)
  const above: (readonly Entry[])[] = []
  for (let more = around.filter((entry) => BigInt(entry.id) > latest); more.length > 0; above.unshift(more)) {
    more = await numbersBetween(job, high + 1n, high + BATCH, listings)
    high += BATCH
  }
  yield* above
  yield around
  for (let missing = around.length > 0 ? 0 : 1; low > 1n && missing < MISSING_IN_A_ROW; ) {
    const below = atLeastOne(low - BATCH)
    const batch = await numbersBetween(job, below, low - 1n, listings)
    low = below
    missing = batch.length > 0 ? 0 : missing + 1
    yield batch
  }
}

function atLeastOne(number: bigint): bigint {
  return number > 1n ? number : 1n
}

/** By one listing for each number of digits: among as many digits the order of names is that of numbers. */
async function numbersBetween(job: Numbered, low: bigint, high: bigint, listings: Listings): Promise<Entry[]> {
  const found: Entry[] = []
  for (let digits = `${low}`.length; digits <= `${high}`.length; digits++) {
    const [least, most] = [10n ** BigInt(digits - 1), 10n ** BigInt(digits) - 1n]
    const [first, last] = [low > least ? low : least, high < most ? high : most]
    // `/` and `.`, with which names go on, sort before `0`.
    const offsets = { startOffset: `${job.prefix}${first}`, endOffset: `${job.prefix}${last}0` }
    for await (const page of listings.pages({ prefix: job.prefix, ...offsets }))
      found.push(...job.entries(page).filter(({ id }) => `${BigInt(id)}` === id && id.length === digits))
  }
  return found.sort((a, b) => compareIds(b.id, a.id))
}

/**
 * Of batches of sequential numbers, the greatest first, the runs that began in the scope, and how many were seen until
 * they were too old. Numbers rise with time: few runs are asked when they began.
 */
export async function recentOf(job: Numbered, batches: AsyncIterable<readonly Entry[]>, search: Search) {
  const found: RunPath[] = []
  let [seen, old] = [0, 0]
  for await (const batch of batches) {
    const runs = await runsAt(job, batch)
    seen += batch.length
    const known = await search.scope.knownTimes(runs.map((run) => run.path))
    const isOld = async (run: RunPath) =>
      (known.get(run.path) ?? (await timeOf(run, search)) ?? search.scope.from) < search.scope.from
    const edge = await edgeOf(runs, isOld)
    found.push(...runs.slice(0, edge))
    if (edge > 0) old = 0
    for (const run of runs.slice(edge)) {
      old = (await isOld(run)) ? old + 1 : 0
      if (old === 0) found.push(run)
      if (old >= OLD_IN_A_ROW) return { runs: found, seen }
    }
  }
  return { runs: found, seen }
}

/** How many of the runs come before those that are too old: mostly all or none, else found by halves. */
async function edgeOf(runs: readonly RunPath[], isOld: (run: RunPath) => Promise<boolean>): Promise<number> {
  const last = runs.at(-1)
  if (!last || !(await isOld(last))) return runs.length
  let [low, high] = [0, runs.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    const run = runs[middle]
    if (run && (await isOld(run))) high = middle
    else low = middle + 1
  }
  return low
}

export async function runsAt(job: Numbered, entries: readonly Entry[]): Promise<RunPath[]> {
  const found: RunPath[] = []
  for (const entry of entries) {
    const run = await job.run(entry)
    if (run) found.push(run)
  }
  return found
}

/** By started.json, else finished.json; undefined where neither tells. */
async function timeOf(run: RunPath, { source, scope, memory }: Search): Promise<number | undefined> {
  const before = memory.times.get(run.path)
  if (before !== undefined) return before
  for (const [name, schema] of [
    ['started.json', Started],
    ['finished.json', Finished],
  ] as const) {
    try {
      const text = await readText(source, { name: `${run.path}/${name}` }, MAX_DOCUMENT, scope.signal)
      const time = schema.parse(JSON.parse(text)).timestamp
      if (time === undefined) continue
      if (time < scope.from) memory.times.set(run.path, time)
      return time
    } catch (error) {
      // Unreadable here is unreadable to the reader too, and told there.
      if (isProwlError(error) ? !error.code.startsWith('OBJECT_') : !(error instanceof SyntaxError)) throw error
    }
  }
  return undefined
}
