import { parseBuildAddress, parseRunAddress } from '#lib/deployment/run-address.ts'
import { ProwlError } from '#lib/errors.ts'
import type { Source } from '../source/source.ts'
import { listPage } from './pages.ts'
import { pointerTarget } from './pointers.ts'
import { parseRunPath, type RunPath } from './run-path.ts'

/** What an address says of a run: its place, as far as it can be trusted, and the name of its bucket where it has one. */
export interface Wanted {
  readonly bucket?: string
  readonly path?: string
  readonly job: string
  readonly buildId: string
}

/** Throws CONFIG_INVALID for what is no address of a run. */
export function parseWanted(text: string): Wanted {
  const address = parseRunAddress(text)
  const [job, buildId] = address?.path.split('/').slice(-2) ?? []
  if (address && job && buildId) return { bucket: address.bucket, path: address.path, job, buildId }
  const build = parseBuildAddress(text)
  if (build) return build
  throw new ProwlError(
    'CONFIG_INVALID',
    `--run: ${text}: no address of a run; give Spyglass's or gcsweb's, or gs://bucket/logs/job/id`,
  )
}

/**
 * Where the run lies. Addresses come from templates that disagree with the storage, and pointers stand elsewhere than
 * runs: each place is taken only if the bucket holds something there. Throws NOT_FOUND.
 */
export async function resolveRun(source: Source, wanted: Wanted, signal?: AbortSignal): Promise<RunPath> {
  const { path, job, buildId } = wanted
  for (const place of [path, `logs/${job}/${buildId}`, `pr-logs/pull/batch/${job}/${buildId}`]) {
    const run = place === undefined ? undefined : parseRunPath(place)
    if (run && (await isThere(source, run, signal))) return run
  }
  const run = await pointerTarget(source, job, buildId, signal)
  if (run && (await isThere(source, run, signal))) return run
  throw new ProwlError('NOT_FOUND', `${source.bucket}: holds no run ${buildId} of ${job}; check the address`)
}

async function isThere(source: Source, { path }: RunPath, signal: AbortSignal | undefined): Promise<boolean> {
  const { objects, prefixes } = await listPage(source, { prefix: `${path}/` }, signal)
  return objects.length + prefixes.length > 0
}
