import { join } from 'node:path'
import { Piscina } from 'piscina'
import { count } from '../counts.ts'
import { ProwlError } from '../errors.ts'
import type { Catalogue } from '../signature/catalogue.ts'
import { YOUNG_MIB } from '../thread-heap.ts'
import {
  CANCELLED,
  type CatalogueTask,
  type CountOutcome,
  type CountTask,
  type EvaluateTask,
  type KnownTask,
  type LinesOutcome,
  type LinesTask,
  type NamesTask,
  PROGRESS,
  type Refusal,
  type RunOutcome,
  type TallyOutcome,
  type TallyTask,
  TURN_MS,
  type VerifyTask,
} from './tasks.ts'
import { createTurns, newShare, type Share } from './turns.ts'

/** Worker threads in which patterns run; one that comes to no end is terminated and replaced. */
export interface Pool {
  verify(task: Given<VerifyTask>, guard: Guard): Promise<LinesOutcome[]>
  count(task: Given<CountTask>, guard: Guard): Promise<CountOutcome[]>
  tally(task: Given<TallyTask>, guard: Guard): Promise<TallyOutcome[]>
  lines(task: Given<LinesTask>, guard: Guard): Promise<string[]>
  names(task: Given<NamesTask>, guard: Guard): Promise<string[]>
  catalogue(task: Given<CatalogueTask>, guard: Guard): Promise<Catalogue[]>
  evaluate(task: Given<EvaluateTask>, guard: Guard): Promise<RunOutcome[]>
  /** By line, the ids of the signatures that match it. */
  known(task: Given<KnownTask>, guard: Guard): Promise<string[][]>
  load(): PoolLoad
  close(): Promise<void>
}

/** How much the threads have to do: tasks under way or waiting for one, those of readers who left until they have ended. */
export interface PoolLoad {
  readonly threads: number
  readonly tasks: number
}

type Given<T> = Omit<T, 'kind' | 'signals'>

export interface Guard {
  /** Ends the wait at once, and the thread's work soon after. */
  readonly stop: AbortSignal
  /** A block that takes longer than this, in ms, is given up with StuckError. */
  readonly stuckMs: number
  /** Of the search that this is a task of; one of its own where absent. */
  readonly share?: Share
}

/** The thread came to no end on this block of the task and was terminated. */
export class StuckError extends Error {
  readonly index: number
  constructor(index: number) {
    super('a pattern came to no end')
    this.index = index
  }
}

const WATCH_MS = 20
/** How long a stopped task may take to notice by itself before its thread is terminated: a reader who leaves frees it within 100 ms. */
export const GRACE_MS = 50
const HEAP_MIB = 256
/** Threads beyond those that there are, while patterns run over one block for longer than `OVERDUE_MS`. */
const LENT = 2
/** Turns end between two blocks, soon after their time. */
const OVERDUE_MS = 2 * TURN_MS
/** Turns that read blocks which the disk has not at hand end before that; those of patterns that come to no end don't. */
const HEAVY_MS = 500
/** What most searches take of the threads is much less. */
const LIGHT_MS = 1_000

export function createPool(threads: number): Pool {
  const piscina = new Piscina({
    // Next bundles this module: the worker's file is found from the project's root, where every process starts.
    filename: join(process.cwd(), 'lib/search/verify-worker.ts'),
    minThreads: threads + LENT,
    maxThreads: threads + LENT,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
  })
  // A thread may answer in the moment in which it is ended: nobody waits for that answer, and unheard it would end the process.
  piscina.on('error', (error: Error) => {
    if (!error.message.startsWith('Unexpected message from Worker')) throw error
  })
  // Piscina's own queue knows no order but that of arrival: it gets a task only once a thread is free.
  const turns = createTurns({
    places: threads,
    lent: LENT,
    overdueMs: OVERDUE_MS,
    heavyMs: HEAVY_MS,
    lightMs: LIGHT_MS,
  })
  let tasks = 0
  const run: Run = async (task, kill, { stop, share = newShare() }) => {
    tasks++
    try {
      return await turns.take(share, patternsOf(task), () => piscina.run(task, { signal: kill }), stop)
    } finally {
      tasks--
    }
  }
  return {
    verify: (task, guard) => runTask<LinesOutcome>(run, { kind: 'verify', ...task }, guard),
    count: (task, guard) => runTask<CountOutcome>(run, { kind: 'count', ...task }, guard),
    tally: (task, guard) => runTask<TallyOutcome>(run, { kind: 'tally', ...task }, guard),
    lines: (task, guard) => runTask<string>(run, { kind: 'lines', ...task }, guard),
    names: (task, guard) => runTask<string>(run, { kind: 'names', ...task }, guard),
    catalogue: (task, guard) => runTask<Catalogue>(run, { kind: 'catalogue', ...task }, guard),
    evaluate: (task, guard) => runTask<RunOutcome>(run, { kind: 'evaluate', ...task }, guard),
    known: (task, guard) => runTask<string[]>(run, { kind: 'known', ...task }, guard),
    load: () => ({ threads, tasks }),
    close: () => piscina.destroy(),
  }
}

/** What a turn runs, as far as that tells how long it takes. */
const patternsOf = (task: object) => ('patterns' in task ? JSON.stringify(task.patterns) : '')

type Run = (task: object, kill: AbortSignal, guard: Guard) => Promise<unknown>

async function runTask<T>(run: Run, task: object, guard: Guard): Promise<T[]> {
  const { stop, stuckMs } = guard
  stop.throwIfAborted()
  const signals = new Int32Array(new SharedArrayBuffer(8))
  const kill = new AbortController()
  const watch = watchProgress(signals, stuckMs, () => kill.abort())
  const stopped = Promise.withResolvers<never>()
  const onStop = () => {
    stopped.reject(stop.reason)
    Atomics.store(signals, CANCELLED, 1)
    setTimeout(() => Atomics.load(signals, PROGRESS) !== 0 && kill.abort(), GRACE_MS).unref()
  }
  stop.addEventListener('abort', onStop, { once: true })
  const work = run({ ...task, signals }, kill.signal, guard).finally(() => clearInterval(watch.timer))
  try {
    const answer = (await Promise.race([work, stopped.promise])) as T[] | Refusal
    if (!('refused' in answer)) return answer
    const { code, message, position, pattern } = answer.refused
    throw new ProwlError(code, message, { position, pattern })
  } catch (error) {
    if (watch.stuckAt() !== undefined && kill.signal.aborted) throw new StuckError(watch.stuckAt() ?? 0)
    throw error
  } finally {
    stop.removeEventListener('abort', onStop)
    work.catch(() => undefined)
  }
}

function watchProgress(signals: Int32Array, stuckMs: number, onStuck: () => void) {
  let seen = 0
  let since = performance.now()
  let stuckAt: number | undefined
  const timer = setInterval(() => {
    const now = performance.now()
    const at = Atomics.load(signals, PROGRESS)
    if (at !== seen) [seen, since] = [at, now]
    else if (at > 0 && now - since > stuckMs) {
      stuckAt = at - 1
      count('patterns_ended')
      onStuck()
    }
  }, WATCH_MS)
  return { timer, stuckAt: () => stuckAt }
}
