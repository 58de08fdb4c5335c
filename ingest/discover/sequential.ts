import { Finished, Started } from '../read/documents.ts'
import { readText } from '../read/read-text.ts'
import type { Source } from '../source/source.ts'
import { compareIds } from './build-id.ts'
import type { Scope } from './discovery.ts'
import type { RunPath } from './run-path.ts'

/** So many runs in a row that are too old end the search. */
const OLD_IN_A_ROW = 5
const BATCH = 20
const MAX_DOCUMENT = 256 * 1024

/** Of runs whose ids are sequential numbers, those that began at or after the scope's start: from the highest id down. */
export async function recentSequential(
  source: Source,
  runs: readonly RunPath[],
  scope: Scope,
): Promise<readonly RunPath[]> {
  const descending = [...runs].sort((a, b) => compareIds(b.buildId, a.buildId))
  const found: RunPath[] = []
  let old = 0
  for (let at = 0; at < descending.length; at += BATCH) {
    const batch = descending.slice(at, at + BATCH)
    const known = await scope.knownTimes(batch.map((run) => run.path))
    for (const run of batch) {
      const time = known.get(run.path) ?? (await timeOf(source, run, scope.signal))
      if (time === undefined || time >= scope.from) {
        found.push(run)
        old = 0
      } else if (++old >= OLD_IN_A_ROW) return found
    }
  }
  return found
}

/** By started.json, else finished.json; undefined where neither tells. */
async function timeOf(source: Source, run: RunPath, signal: AbortSignal | undefined): Promise<number | undefined> {
  for (const [name, schema] of [
    ['started.json', Started],
    ['finished.json', Finished],
  ] as const) {
    const info = await source.stat(`${run.path}/${name}`)
    if (!info) continue
    try {
      const time = schema.parse(JSON.parse(await readText(source, info, MAX_DOCUMENT, signal))).timestamp
      if (time !== undefined) return time
    } catch {
      // Unreadable here is unreadable to the reader too, and told there.
    }
  }
  return undefined
}
