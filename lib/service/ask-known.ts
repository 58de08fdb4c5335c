import { ProwlError } from '../errors.ts'
import type { Context } from './context.ts'
import { namedRuns } from './jump.ts'
import { storedRuns } from './known.ts'
import { figuresReach } from './reach.ts'
import { type RunKnown, runsKnown } from './run-known.ts'
import { type UnreadRun, unreadRun } from './unread.ts'
import type { DataLack, DataReach } from './views.ts'

/** Whether the failure of a run is known, for who asks from a script. */
export interface KnownAnswer {
  /** `undecided`: nothing known was found, or not yet, and that proves nothing; `unread`: the run has not been read. */
  readonly answer: 'known' | 'not' | 'undecided' | 'unread'
  /** One line. */
  readonly words: string
  /** Each run that the text names: one, but for a build id that several jobs gave. */
  readonly runs: readonly RunKnown[]
  readonly unread?: UnreadRun
  readonly partial: readonly DataLack[]
  /** All runs that started before are in, epoch ms. */
  readonly completeTo?: number
  readonly reach: DataReach
}

/** By a run's address in any form, or a build id. Throws QUERY_INVALID for what names no run. */
export async function askKnown(ctx: Context, text: string): Promise<KnownAnswer> {
  const found = await namedRuns(ctx, text)
  if (!found)
    throw new ProwlError('QUERY_INVALID', 'run: give a run’s address (Prow, Spyglass, gcsweb, gs://…) or a build id')
  const reach = await figuresReach(ctx)
  const base = {
    partial: reach.lacking,
    ...(reach.completeTo !== undefined && { completeTo: reach.completeTo }),
    reach,
  }
  if (found.runs.length === 0) {
    const unread = await unreadRun(ctx, found.named)
    return { answer: 'unread', words: `not read yet: ${unread.sentences.join(' ')}`, runs: [], unread, ...base }
  }
  const runs = await runsKnown(ctx, [...(await storedRuns(ctx, found.runs)).values()])
  const [only, ...others] = runs
  return {
    answer: answerOf(runs),
    words: only && others.length === 0 ? only.words : `${runs.length} runs have this id: give the address of one`,
    runs,
    ...base,
  }
}

/** Of several runs that an id names nothing is said. */
export function answerOf(runs: readonly Pick<RunKnown, 'state'>[]): Exclude<KnownAnswer['answer'], 'unread'> {
  const [only, ...others] = runs
  if (!only || others.length > 0) return 'undecided'
  if (only.state === 'known') return 'known'
  return only.state === 'pending' || only.state === 'unsure' ? 'undecided' : 'not'
}
