import { compareBytes } from '#lib/store/order.ts'
import { isObeyed } from '#lib/text/printable.ts'
import type { Listing, ObjectInfo, Source } from '../source/source.ts'
import type { LogGlobs } from './log-globs.ts'

export interface Selection {
  /** Objects right below the run, by name below it. */
  readonly top: ReadonlyMap<string, ObjectInfo>
  /** Directories right below the run. */
  readonly topDirectories: readonly string[]
  readonly warnings: readonly string[]
}

export interface SelectedLogs {
  readonly logs: ReadonlyMap<string, ObjectInfo>
  readonly warnings: readonly string[]
}

export interface ListLimits {
  /** Listing requests a run. */
  readonly listings: number
  /** Of them for one directory: one that is huge leaves some to the others. */
  readonly pages: number
  readonly logs: number
  /** Directories below the run. */
  readonly depth: number
}

const DEFAULT_LIMITS: ListLimits = { listings: 100, pages: 10, logs: 500, depth: 8 }
const TOP_PAGES = 20

/** The run's own objects: one listing. */
export async function listTop(source: Source, path: string, signal?: AbortSignal): Promise<Selection> {
  const { objects, prefixes, warnings } = await listAll(source, `${path}/`, 'run', TOP_PAGES, signal)
  const topDirectories = prefixes.map((prefix) => prefix.slice(path.length + 1, -1))
  return { top: named(objects, path), topDirectories, warnings }
}

/**
 * The logs that the globs name: directories are listed along the globs only, the shallow before the deep, up to a
 * number of listings. Always in byte order. What a limit leaves out is told in a warning.
 */
export async function selectLogs(
  source: Source,
  path: string,
  { top, topDirectories, warnings: topWarnings }: Selection,
  globs: LogGlobs,
  limits: ListLimits = DEFAULT_LIMITS,
  signal?: AbortSignal,
): Promise<SelectedLogs> {
  const found = new Map([...top].filter(([name]) => globs.matches(name)))
  const warnings = [...topWarnings]
  let left = limits.listings
  const below = async (directory: string): Promise<readonly string[]> => {
    const pages = Math.min(limits.pages, left)
    const listing = await listAll(source, `${path}/${directory}/`, directory, pages, signal)
    left -= listing.pages
    warnings.push(...listing.warnings)
    for (const [name, info] of named(listing.objects, path)) if (globs.matches(name)) found.set(name, info)
    return listing.prefixes.map((prefix) => prefix.slice(path.length + 1, -1))
  }
  let level = topDirectories.filter((directory) => globs.mayHold(directory))
  for (let depth = 1; level.length > 0 && depth <= limits.depth; depth++) {
    const next: string[] = []
    for (const directory of level)
      if (left > 0) next.push(...(await below(directory)))
      else return firstOf(found, [...warnings, stopped('artifacts', limits.listings)], limits)
    level = next.filter((directory) => globs.mayHold(directory))
  }
  if (level.length > 0)
    warnings.push(`artifacts: directories below ${limits.depth} others not listed; logs may be missing`)
  return firstOf(found, warnings, limits)
}

function firstOf(
  found: ReadonlyMap<string, ObjectInfo>,
  warnings: readonly string[],
  limits: ListLimits,
): SelectedLogs {
  const sorted = [...found].sort(([a], [b]) => compareBytes(a, b))
  const logs = new Map(sorted.slice(0, limits.logs))
  if (sorted.length <= limits.logs) return { logs, warnings }
  return { logs, warnings: [...warnings, `artifacts: ${sorted.length} logs found, the first ${limits.logs} read`] }
}

function stopped(what: string, requests: number): string {
  return `${what}: listing stopped after ${requests} requests; logs may be missing`
}

async function listAll(source: Source, prefix: string, what: string, most: number, signal?: AbortSignal) {
  const objects: ObjectInfo[] = []
  const prefixes: string[] = []
  let seen = 0
  for (let [pages, pageToken]: [number, string | undefined] = [1, undefined]; ; pages++) {
    const page: Listing = await source.list({
      prefix,
      delimiter: '/',
      ...(pageToken === undefined ? {} : { pageToken }),
      ...(signal ? { signal } : {}),
    })
    objects.push(...page.objects.filter(({ name }) => !isObeyed(name)))
    prefixes.push(...page.prefixes.filter((name) => !isObeyed(name)))
    seen += page.objects.length + page.prefixes.length
    pageToken = page.nextPageToken
    if (pageToken !== undefined && pages < most) continue
    const left = seen - objects.length - prefixes.length
    const warnings = left > 0 ? [`${what}: names with control characters left out: ${left}`] : []
    return {
      objects,
      prefixes,
      pages,
      warnings: pageToken === undefined ? warnings : [...warnings, stopped(what, pages)],
    }
  }
}

function named(objects: readonly ObjectInfo[], path: string): Map<string, ObjectInfo> {
  return new Map(objects.map((info) => [info.name.slice(path.length + 1), info]))
}
