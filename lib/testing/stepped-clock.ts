import { setImmediate } from 'node:timers/promises'

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A clock that moves when a test says so; who sleeps on it is woken in order. Two parts as a machine has them. */
export class SteppedClock {
  #steady = 0
  #wall: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(wall = 0) {
    this.#wall = wall
  }

  readonly steady = () => this.#steady
  readonly wall = () => this.#wall
  readonly sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const sleeper = { at: this.#steady + ms, wake: resolve }
      this.#sleepers.add(sleeper)
      const end = () => {
        this.#sleepers.delete(sleeper)
        resolve()
      }
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end)
    })

  /** Lets so much time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.#steady + ms
    for (;;) {
      // Whoever was woken does what it does before the next is.
      await setImmediate()
      const [next] = [...this.#sleepers].sort((a, b) => a.at - b.at)
      if (!next || next.at > end) break
      this.#move(next.at - this.#steady)
      this.#sleepers.delete(next)
      next.wake()
    }
    this.#move(end - this.#steady)
    await setImmediate()
  }

  /** The wall clock alone jumps: it was set, or the machine slept. */
  jump(ms: number): void {
    this.#wall += ms
  }

  #move(ms: number): void {
    this.#steady += Math.max(0, ms)
    this.#wall += Math.max(0, ms)
  }
}
