import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number
  /** Of the first wait, ms; doubled each time, with jitter, up to `maxDelayMs`. */
  readonly delayMs: number
  readonly maxDelayMs: number
}

export const DEFAULT_RETRIES: RetryPolicy = { retries: 5, delayMs: 500, maxDelayMs: 30_000 }

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

/** 408, 429, 5xx and whatever broke below HTTP may pass; any other answer is final, and so is our own abort. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof HttpError)) return !(error instanceof Error && error.name === 'AbortError')
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/** Runs with bounded retries, jittered backoff, and never sooner than the server's Retry-After. */
export function withRetries<T>(run: () => Promise<T>, policy: RetryPolicy, signal?: AbortSignal): Promise<T> {
  return pRetry(run, {
    retries: policy.retries,
    minTimeout: policy.delayMs,
    maxTimeout: policy.maxDelayMs,
    randomize: true,
    ...(signal ? { signal } : {}),
    shouldRetry: ({ error }) => isTransient(error) && !signal?.aborted,
    onFailedAttempt: async ({ error, retriesLeft }) => {
      const wait = error instanceof HttpError ? error.retryAfterMs : undefined
      if (wait !== undefined && retriesLeft > 0 && isTransient(error))
        await sleep(Math.min(wait, policy.maxDelayMs * 4), undefined, signal ? { signal } : {})
    },
  })
}
