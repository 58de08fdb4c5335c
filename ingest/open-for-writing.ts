import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, isProwlError, type ProwlError } from '#lib/errors.ts'
import { openStore } from '#lib/store/open.ts'
import type { Store } from '#lib/store/store.ts'
import type { IngestHooks, IngestOptions } from './options.ts'

/** Between two attempts to lead. */
const STANDBY_MS = 1000

/**
 * The store, of which this is the one writer. Who follows a bucket waits for it, while another worker leads or a cluster
 * is away; undefined where it is stopped meanwhile. Throws what openStore does.
 */
export async function openForWriting(options: IngestOptions, hooks: IngestHooks): Promise<Store | undefined> {
  const { dataDir, elastic, everyMs } = options
  const signals = [hooks.stop, hooks.abort].filter((signal) => signal !== undefined)
  const stopped = AbortSignal.any(signals)
  for (let told = ''; !stopped.aborted; ) {
    try {
      // Compressing and indexing blocks takes as long as reading and matching them: a thread each.
      return await openStore({ dataDir, elastic, mode: 'write', thread: true, onNotice: hooks.onWarning })
    } catch (error) {
      if (everyMs === undefined || !isWaitedFor(error)) throw error
      if (error.message !== told) tell(error, hooks)
      told = error.message
      await sleep(STANDBY_MS, undefined, { signal: stopped }).catch(() => {})
    }
  }
  return undefined
}

const WAITED_FOR: ReadonlySet<ErrorCode> = new Set([
  'STORE_LEASE_HELD',
  'STORE_LEASE_LOST',
  'STORE_UNREACHABLE',
  'STORE_FULL',
])

/** What ends by itself, by another worker's end, or as someone makes room. */
export function isWaitedFor(error: unknown): error is ProwlError {
  return isProwlError(error) && WAITED_FOR.has(error.code)
}

function tell({ code, message }: ProwlError, { onStandby, onWarning, onOpen }: IngestHooks): void {
  if (code === 'STORE_LEASE_HELD') {
    onStandby?.(message)
    onOpen?.()
  } else onWarning?.(`${code}: ${message}`)
}
