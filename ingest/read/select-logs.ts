import { compareBytes } from '#lib/store/order.ts'
import type { ObjectInfo, Source } from '../source/source.ts'
import type { LogGlobs } from './log-globs.ts'

export interface Selection {
  /** Objects right below the run, by name below it. */
  readonly top: ReadonlyMap<string, ObjectInfo>
  /** Directories right below the run. */
  readonly topDirectories: readonly string[]
}

export interface SelectedLogs {
  readonly logs: ReadonlyMap<string, ObjectInfo>
  readonly warnings: readonly string[]
}

export interface ListLimits {
  /** Listing requests a run. */
  readonly listings: number
  readonly logs: number
  /** Directories below the run. */
  readonly depth: number
}

const DEFAULT_LIMITS: ListLimits = { listings: 100, logs: 500, depth: 8 }

/** The run's own objects: one listing. */
export async function listTop(source: Source, path: string, signal?: AbortSignal): Promise<Selection> {
  const { objects, prefixes } = await listAll(source, `${path}/`, { left: 20 }, signal)
  return { top: named(objects, path), topDirectories: prefixes.map((prefix) => prefix.slice(path.length + 1, -1)) }
}

/**
 * The logs that the globs name: directories are listed along the globs only, the shallow before the deep, up to a
 * number of listings. Always in byte order.
 */
export async function selectLogs(
  source: Source,
  path: string,
  { top, topDirectories }: Selection,
  globs: LogGlobs,
  limits: ListLimits = DEFAULT_LIMITS,
  signal?: AbortSignal,
): Promise<SelectedLogs> {
  const found = new Map([...top].filter(([name]) => globs.matches(name)))
  const budget = { left: limits.listings }
  let level = topDirectories.filter((directory) => globs.mayHold(directory))
  for (let depth = 1; level.length > 0 && depth <= limits.depth && budget.left > 0; depth++) {
    const below: string[] = []
    for (const directory of level) {
      if (budget.left <= 0) break
      const listing = await listAll(source, `${path}/${directory}/`, budget, signal)
      for (const [name, info] of named(listing.objects, path)) if (globs.matches(name)) found.set(name, info)
      for (const prefix of listing.prefixes) below.push(prefix.slice(path.length + 1, -1))
    }
    level = below.filter((directory) => globs.mayHold(directory))
  }
  const warnings =
    budget.left <= 0 ? [`artifacts: listing stopped after ${limits.listings} requests; logs may be missing`] : []
  const names = [...found.keys()].sort(compareBytes)
  if (names.length > limits.logs) warnings.push(`artifacts: ${names.length} logs found, the first ${limits.logs} read`)
  const logs = new Map<string, ObjectInfo>()
  for (const name of names.slice(0, limits.logs)) {
    const info = found.get(name)
    if (info) logs.set(name, info)
  }
  return { logs, warnings }
}

async function listAll(source: Source, prefix: string, budget: { left: number }, signal?: AbortSignal) {
  const objects: ObjectInfo[] = []
  const prefixes: string[] = []
  let pageToken: string | undefined
  do {
    budget.left--
    const page = await source.list({
      prefix,
      delimiter: '/',
      ...(pageToken === undefined ? {} : { pageToken }),
      ...(signal ? { signal } : {}),
    })
    objects.push(...page.objects)
    prefixes.push(...page.prefixes)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined && budget.left > 0)
  return { objects, prefixes }
}

function named(objects: readonly ObjectInfo[], path: string): Map<string, ObjectInfo> {
  return new Map(objects.map((info) => [info.name.slice(path.length + 1), info]))
}
