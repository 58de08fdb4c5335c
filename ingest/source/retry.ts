import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { isProwlError } from '#lib/errors.ts'

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number
  /** Of the first wait, ms; doubled each time, with jitter, up to `maxDelayMs`. */
  readonly delayMs: number
  readonly maxDelayMs: number
  /** Waits so many ms; rejects when the signal is aborted. Timers, where not given. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

export const DEFAULT_RETRIES: RetryPolicy = { retries: 5, delayMs: 500, maxDelayMs: 30_000 }

/** A server that asks for more patience than this many of the longest waits doesn't get it. */
const LONGEST_WAITS = 4

/** An answer other than success. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** What the server asked to wait, ms. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, retryAfter: string | undefined, now: number) {
    super(`HTTP ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs(retryAfter, now)
  }
}

/** Retry-After in both of its forms (RFC 9110 §10.2.3), as ms from `now`. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const wait = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** 408, 429, 5xx and whatever broke below HTTP may pass; any other answer, a coded error and our own abort are final. */
export function isTransient(error: unknown): boolean {
  if (isProwlError(error) || isAbort(error)) return false
  if (!(error instanceof HttpError)) return true
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/** undici's own AbortError is none of ours: it gives one when a proxy refuses, too. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError' && !('code' in error && error.code === 'UND_ERR_ABORTED')
}

/** Runs with bounded retries, jittered backoff, and never sooner than the server's Retry-After; `onRetry` before each. */
export function withRetries<T>(
  run: () => Promise<T>,
  policy: RetryPolicy,
  signal?: AbortSignal,
  onRetry?: () => void,
): Promise<T> {
  // The signal is not p-retry's: it would drop what a run gave that ended just before the abort.
  return pRetry(run, {
    retries: policy.retries,
    minTimeout: 0,
    shouldRetry: ({ error }) => isTransient(error) && !signal?.aborted,
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
      if (retriesLeft === 0 || !isTransient(error) || signal?.aborted) return
      await backOff(attemptNumber - 1, policy, error, signal)
      onRetry?.()
    },
  })
}

/** The wait before the attempt after `attempt`, which counts from 0. */
export async function backOff(attempt: number, policy: RetryPolicy, error: unknown, signal?: AbortSignal) {
  const longest = Math.min(policy.delayMs * 2 ** attempt, policy.maxDelayMs)
  const asked = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0
  const ms = Math.min(asked, policy.maxDelayMs * LONGEST_WAITS) + longest * (0.5 + Math.random() / 2)
  const wait = policy.wait ?? ((time, stop) => sleep(time, undefined, stop ? { signal: stop } : {}))
  await wait(ms, signal)
}
