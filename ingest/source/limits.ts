import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { TokenBucket } from 'limiter'

export interface TimeLimit {
  readonly signal: AbortSignal
  /** Lets go of the timer and of the parent; neither would be collected before its time. */
  end(): void
}

/** A signal that aborts after `ms`, with an error that is none of our own aborts, or with its parent. */
export function timeLimit(ms: number, parent?: AbortSignal): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('no answer in time')), ms)
  const pass = () => controller.abort(parent?.reason)
  if (parent?.aborted) pass()
  parent?.addEventListener('abort', pass, { once: true })
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      parent?.removeEventListener('abort', pass)
    },
  }
}

/** What `task` gives, or the reason of the signal as soon as it is aborted; the task then goes on unheard. */
export function orAborted<T>(task: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return task
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    task.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const made = new AsyncLocalStorage<{ readonly requests: Set<ClientRequest>; ended: boolean }>()

subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest }
  const call = made.getStore()
  if (call?.ended) request.destroy()
  else call?.requests.add(request)
})

/**
 * Runs a call of a library that can neither be aborted nor times out, as Google's client: with the signal its HTTP
 * requests are destroyed. When this returns, no connection of the call is open but such as are kept alive.
 */
export async function abortable<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const state = { requests: new Set<ClientRequest>(), ended: false }
  try {
    return await orAborted(made.run(state, call), signal)
  } finally {
    state.ended = true
    for (const request of state.requests) request.destroy()
  }
}

const buckets = new Map<number, TokenBucket>()

/** Waits until so many bytes may pass: all transfers of the process share each rate, bytes per second. */
export async function passBytes(count: number, bytesPerSecond: number, signal?: AbortSignal): Promise<void> {
  const bucket =
    buckets.get(bytesPerSecond) ??
    new TokenBucket({ bucketSize: bytesPerSecond, tokensPerInterval: bytesPerSecond, interval: 'second' })
  buckets.set(bytesPerSecond, bucket)
  for (let left = count; left > 0; left -= bytesPerSecond)
    await orAborted(bucket.removeTokens(Math.min(left, bytesPerSecond)), signal)
}
