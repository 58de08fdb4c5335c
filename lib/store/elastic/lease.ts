import { setTimeout as timeout } from 'node:timers/promises'
import { ProwlError } from '../../errors.ts'

export interface Owner {
  readonly host: string
  readonly pid: number
  /** Of one opening of the store. */
  readonly id: string
}

export interface LeaseRecord {
  /** Counts those that led, from 1. */
  readonly term: number
  readonly owner: Owner
  /** When it began to lead, epoch ms by its own clock: for people. */
  readonly since: number
  /** Unrenewed, it is free after so long, ms: the holder counts on it, whatever others are set to. */
  readonly lastsMs: number
  /** Given back: a successor need not wait. */
  readonly released?: true
}

/** Which writing of the document it is: another one is unequal. */
export interface DocState {
  readonly _seq_no: number
  readonly _primary_term: number
}

/** The document that all writers of a store share. Both calls throw where there is no answer. */
export interface LeaseDocument {
  read(): Promise<{ readonly record: LeaseRecord; readonly state: DocState } | undefined>
  /** Writes it over this state of it; undefined where it is of another. */
  write(record: LeaseRecord, over: DocState | 'nothing'): Promise<DocState | undefined>
}

export interface Clock {
  /** Milliseconds that never run backwards; it may stand still while the machine sleeps. */
  readonly steady: () => number
  /** Epoch ms. */
  readonly wall: () => number
  /** With a signal it ends early, and well, when that aborts, and keeps no process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const CLOCK: Clock = {
  steady: () => performance.now(),
  wall: Date.now,
  sleep: (ms, signal) => timeout(ms, undefined, signal ? { ref: false, signal } : {}).catch(() => {}),
}

export const LEASE_MS = 20_000
/** Writes wait so long for a lease that can't be renewed. */
const PATIENCE_MS = 120_000

export interface LeaseOptions {
  readonly document: LeaseDocument
  readonly owner: Owner
  /** What the lease is of, in words. */
  readonly what: string
  /** It lasts so long after it was renewed; a quarter of that is between renewals, and is left for a request at least. */
  readonly lastsMs: number
  readonly clock: Clock
}

interface Instant {
  readonly steady: number
  readonly wall: number
}

/**
 * The right to write, of one process at a time, renewed until it is given back. Whoever wants it watches the document:
 * unchanged for the time that it lasts, by the watcher's own clock, it is free. The holder counts from before it asked, so
 * it knows of the end first, whatever their clocks say.
 */
export class Lease {
  readonly #options: LeaseOptions
  readonly #record: LeaseRecord
  readonly #ending = new AbortController()
  readonly #keeping: Promise<void>
  #state: DocState
  #renewed: Instant
  #lost: ProwlError | undefined
  #trouble: unknown
  #changed = Promise.withResolvers<void>()

  private constructor(options: LeaseOptions, record: LeaseRecord, state: DocState, renewed: Instant) {
    this.#options = options
    this.#record = record
    this.#state = state
    this.#renewed = renewed
    this.#keeping = this.#keep()
  }

  /** Takes it where it is free, or not renewed while this looks on. Throws STORE_LEASE_HELD, which says by whom. */
  static async take(options: LeaseOptions): Promise<Lease> {
    const { document, owner, clock, lastsMs, what } = options
    let seen = await document.read()
    let asked: Instant | undefined
    for (let since = clock.steady(); ; ) {
      if (!seen || seen.record.released || clock.steady() - since >= seen.record.lastsMs) {
        const record = { term: (seen?.record.term ?? 0) + 1, owner, since: clock.wall(), lastsMs }
        asked = instant(clock)
        const state = await document.write(record, seen?.state ?? 'nothing')
        if (state) return new Lease(options, record, state, asked)
      } else await clock.sleep(lastsMs / 20)
      const now = await document.read()
      // Written, though the answer did not come, and it was asked for again.
      if (asked && now?.record.owner.id === owner.id) return new Lease(options, now.record, now.state, asked)
      if (now?.state._seq_no === seen?.state._seq_no && now?.state._primary_term === seen?.state._primary_term) continue
      if (now && !now.record.released) throw held(what, now.record)
      seen = now
      since = clock.steady()
    }
  }

  /** Milliseconds until another may take it; none after it was lost. */
  get left(): number {
    const { steady, wall } = instant(this.#options.clock)
    // The one stands still while the machine sleeps, the other may be set back.
    const elapsed = Math.max(steady - this.#renewed.steady, wall - this.#renewed.wall)
    return this.#lost ? 0 : this.#options.lastsMs - elapsed
  }

  /** What a request may take, ms: so long no other begins after the last moment at which one of these may be sent. */
  get requestMs(): number {
    return this.#options.lastsMs / 4
  }

  get clock(): Clock {
    return this.#options.clock
  }

  /** Whether a request may be sent in this turn. Throws STORE_LEASE_LOST once another has led. */
  holds(): boolean {
    if (this.#lost) throw this.#lost
    return this.left >= this.requestMs
  }

  /** Resolves once a request may be sent. Throws STORE_LEASE_LOST, or why it could not be renewed for two minutes. */
  async ready(): Promise<void> {
    for (const asked = this.clock.steady(); !this.holds(); ) {
      if (this.clock.steady() - asked > PATIENCE_MS) throw this.#unrenewed()
      await Promise.race([this.#changed.promise, this.clock.sleep(this.requestMs)])
    }
  }

  /** Gives it back, if it can. */
  async release(): Promise<void> {
    this.#ending.abort()
    await this.#keeping
    if (this.#lost) return
    this.#lost = new ProwlError('STORE_LEASE_LOST', `the lease of ${this.#options.what} was given back; open it again`)
    await this.#options.document.write({ ...this.#record, released: true }, this.#state).catch(() => {})
  }

  async #keep(): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#ending
    for (;;) {
      await clock.sleep(this.#trouble ? this.requestMs / 4 : this.requestMs, signal)
      if (signal.aborted) return
      await this.#renew().then(
        () => this.#tell(undefined),
        (error: unknown) => this.#tell(error),
      )
      if (this.#lost) return
    }
  }

  #tell(trouble: unknown): void {
    this.#trouble = trouble
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  async #renew(): Promise<void> {
    const { document, clock, owner, what } = this.#options
    for (;;) {
      const asked = instant(clock)
      const state = await document.write(this.#record, this.#state)
      if (state) {
        this.#state = state
        this.#renewed = asked
        return
      }
      const found = await document.read()
      const ours = found?.record.owner.id === owner.id
      if (!ours) {
        this.#lost = lost(what, found?.record)
        return
      }
      // Renewed, though the answer did not come.
      this.#state = found.state
    }
  }

  #unrenewed(): unknown {
    const cause = this.#trouble
    if (cause instanceof ProwlError) return cause
    return new ProwlError('STORE_UNREACHABLE', `the lease of ${this.#options.what} can't be renewed`, { cause })
  }
}

function instant({ steady, wall }: Clock): Instant {
  return { steady: steady(), wall: wall() }
}

/** Who leads, and since when. */
function nameOf({ owner, since }: LeaseRecord): string {
  return `process ${owner.pid} on ${owner.host}, since ${new Date(since).toISOString().slice(0, 19)}Z`
}

function held(what: string, record: LeaseRecord): ProwlError {
  const message = `another worker writes to ${what}: ${nameOf(record)}; end it first, or let it work`
  return new ProwlError('STORE_LEASE_HELD', message)
}

function lost(what: string, record: LeaseRecord | undefined): ProwlError {
  const by = record ? `: ${nameOf(record)}` : ', and its lease is gone'
  return new ProwlError('STORE_LEASE_LOST', `another worker took over ${what}${by}; this one writes no more`)
}
