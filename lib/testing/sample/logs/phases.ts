import type { Planned } from '../plan.ts'
import { MINUTE } from '../story.ts'

/** Instants between which a test on a cluster prepares, installs, tests and tidies up; epoch ms, in order. */
export interface Phases {
  readonly prepared: number
  /** Undefined where the installer never ended well. */
  readonly installed: number | undefined
  readonly tested: number
}

const IN_INSTALLER = new Set(['installer.timeout', 'cloud.quota', 'dns.timeout'])
const BEFORE_INSTALLER = new Set(['lease.exhausted', 'image.pull503'])

/** The failure, if any, that the installer's log holds. */
export const installerFailure = (run: Planned) => run.plants.find(({ id }) => IN_INSTALLER.has(id))

/** The failure, if any, that came before anything was installed. */
export const earlyFailure = (run: Planned) => run.plants.find(({ id }) => BEFORE_INSTALLER.has(id))

export function phases(run: Planned): Phases {
  const prepared = run.lease?.from ?? run.start + Math.floor((run.end - run.start) / 6)
  const stopped = run.plants.find(({ id, fatal }) => id === 'boskos.heartbeat' && fatal) ? run.lease?.to : undefined
  const failed = installerFailure(run)
  const tested = stopped ?? Math.max(prepared, run.end - 8 * MINUTE)
  if (failed) return { prepared, installed: undefined, tested: failed.at }
  const installed = prepared + 30 * MINUTE
  if (installed < tested) return { prepared, installed, tested }
  const aborted = run.state === 'aborted' || stopped !== undefined
  return { prepared, installed: aborted ? undefined : prepared + Math.floor((tested - prepared) * 0.6), tested }
}
