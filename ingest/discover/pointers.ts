import { readText } from '../read/read-text.ts'
import type { ObjectInfo, Source } from '../source/source.ts'
import { snowflakeAt, snowflakeTime } from './build-id.ts'
import type { Scope } from './discovery.ts'
import { pages } from './pages.ts'
import { parseRunPath, type RunPath } from './run-path.ts'
import { recentSequential } from './sequential.ts'

const MAX_POINTER = 4096

/**
 * Presubmits of a job through `pr-logs/directory/<job>/<id>.txt`: each holds `gs://<bucket>/<path>`, and its metadata
 * the same (pkg/pod-utils/gcs). The bucket's name is passed over, as buckets get renamed.
 */
export async function findPointers(source: Source, job: string, scope: Scope): Promise<RunPath[]> {
  const prefix = `pr-logs/directory/${job}/`
  const found: RunPath[] = []
  // Sequential numbers that sort before the first snowflake are not looked for: pointers of such jobs are years old.
  const startOffset = scope.from > 0 ? `${prefix}${snowflakeAt(scope.from)}` : undefined
  for await (const page of pages(source, { prefix, ...(startOffset ? { startOffset } : {}) }, scope.signal))
    for (const info of page.objects) {
      const id = /^(\d{1,20})\.txt$/.exec(info.name.slice(prefix.length))?.[1]
      if (id === undefined) continue
      const run = runOf(await target(source, info, scope.signal))
      if (run?.job === job && run.buildId === id) found.push(run)
    }
  if (scope.from <= 0) return found
  const sequential = found.filter((run) => snowflakeTime(run.buildId) === undefined)
  const snowflakes = found.filter((run) => (snowflakeTime(run.buildId) ?? 0) >= scope.from)
  return [...snowflakes, ...(await recentSequential(source, sequential, scope))]
}

/** Where the pointer of one presubmit run leads; undefined where there is none, or it leads to no run of that name. */
export async function pointerTarget(
  source: Source,
  job: string,
  buildId: string,
  signal?: AbortSignal,
): Promise<RunPath | undefined> {
  const info = await source.stat(`pr-logs/directory/${job}/${buildId}.txt`)
  const run = info && runOf(await target(source, info, signal))
  return run?.job === job && run.buildId === buildId ? run : undefined
}

async function target(source: Source, info: ObjectInfo, signal: AbortSignal | undefined): Promise<string> {
  return info.metadata?.['x-goog-meta-link'] ?? (await readText(source, info, MAX_POINTER, signal))
}

function runOf(link: string): RunPath | undefined {
  const at = link.indexOf('pr-logs/pull/')
  return at < 0 ? undefined : parseRunPath(link.slice(at).trim().replace(/\/+$/, ''))
}
