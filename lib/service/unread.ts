import { bucketNames } from '../deployment/links.ts'
import { snowflakeTime } from '../model/build-id.ts'
import type { Gap } from '../model/gap.ts'
import type { IngestState } from '../model/ingest-state.ts'
import type { Problem } from '../store/store.ts'
import type { Context } from './context.ts'
import { gapsOf, ingestStates } from './passes.ts'
import { isOpenIn, LATE, momentWords } from './reach.ts'
import { freshnessOf } from './status.ts'

/** A run that is named and not stored: as much as its address says. `bucket` without scheme. */
export interface NamedRun {
  readonly bucket?: string
  readonly path?: string
  readonly job?: string
  readonly buildId: string
}

/** Why a run has not been read, and when it will be. Times are epoch ms. */
export interface UnreadRun extends NamedRun {
  /** When it began, as its id tells; sequential ids tell nothing. */
  readonly began?: number
  readonly why: 'never' | 'bucket' | 'failed' | 'new' | 'gap' | 'old' | 'absent' | 'unknown'
  /** When the next pass begins that may read it; absent where none will. */
  readonly nextPass?: number
  /** What there is to say, most telling first. */
  readonly sentences: readonly string[]
}

export interface UnreadFacts {
  readonly states: readonly IngestState[]
  readonly gaps: readonly Gap[]
  readonly problems: readonly Problem[]
  /** Time of the oldest run stored. */
  readonly oldest?: number
  readonly late: boolean
  readonly now: number
}

export async function unreadRun(ctx: Context, named: NamedRun): Promise<UnreadRun> {
  const { store } = ctx
  const [status, states] = await Promise.all([store.status(), ingestStates(store)])
  const gaps = await Promise.all(states.map(({ bucket }) => gapsOf(store, bucket)))
  const { problems, oldest } = status
  const late = freshnessOf(status, states, ctx.now()).state === 'late'
  const facts = { states, gaps: gaps.flat(), problems, late, now: ctx.now() }
  return unreadOf(named, oldest === undefined ? facts : { ...facts, oldest })
}

/** What the facts say of a run that is not stored. */
export function unreadOf(named: NamedRun, facts: UnreadFacts): UnreadRun {
  const began = snowflakeTime(named.buildId)
  const own = facts.states.filter(({ bucket }) => isBucket(bucket, named.bucket))
  const { why, sentence } = reasonOf(named, own, began, facts)
  const nextPass = why === 'bucket' ? undefined : nextPassOf(own, facts.now)
  const isExpected = why === 'new' || why === 'unknown' || why === 'failed' || why === 'gap'
  return {
    ...named,
    ...(began !== undefined && { began }),
    why,
    ...(isExpected && nextPass !== undefined && { nextPass }),
    sentences: [sentence, ...(isExpected ? [passWords(own, nextPass, facts)] : [readOnce(named)])],
  }
}

function reasonOf(
  named: NamedRun,
  own: readonly IngestState[],
  began: number | undefined,
  { states, gaps, problems, oldest }: UnreadFacts,
): { readonly why: UnreadRun['why']; readonly sentence: string } {
  if (states.length === 0) return { why: 'never', sentence: 'Nothing was read yet: no worker has reported.' }
  if (own.length === 0)
    return {
      why: 'bucket',
      sentence: `Its bucket, ${named.bucket}, is not read here; ${states.map(({ bucket }) => bucket).join(', ')} ${states.length === 1 ? 'is' : 'are'}.`,
    }
  const problem = problems.find((each) => isProblemOf(each, named))
  if (problem) return { why: 'failed', sentence: `It could not be read: ${problem.code}: ${problem.message}.` }
  if (began === undefined)
    return {
      why: 'unknown',
      sentence: 'It is too new, too old, or of a job that is left out: its id does not say when it began.',
    }
  const when = `It began about ${momentWords(began)}, as its id tells`
  if (own.some(({ completeTo }) => completeTo === undefined || began >= completeTo))
    return { why: 'new', sentence: `${when}: too new for what was read so far.` }
  if (gaps.some((gap) => isOpenIn(gap, { from: began, to: began + 1 })))
    return { why: 'gap', sentence: `${when}, in a time in which the worker missed runs.` }
  if (oldest !== undefined && began < oldest)
    return { why: 'old', sentence: `${when}, before the oldest run here (${momentWords(oldest)}).` }
  return {
    why: 'absent',
    sentence: `${when}, and runs of that time are in: its job is left out, or the bucket holds no such run.`,
  }
}

function isBucket(bucket: string, name: string | undefined): boolean {
  return name === undefined || bucketNames(name).includes(bucket.slice(bucket.indexOf('://') + 3))
}

function isProblemOf({ path }: Problem, { path: own, job, buildId }: NamedRun): boolean {
  return path === own || (job !== undefined && path.endsWith(`/${job}/${buildId}`))
}

/** The soonest; that of a pass under way is now. */
function nextPassOf(states: readonly IngestState[], now: number): number | undefined {
  const passes = states.flatMap(({ followEverySeconds, passStartedAt }) =>
    followEverySeconds === undefined ? [] : [Math.max(now, passStartedAt + followEverySeconds * 1000)],
  )
  return passes.length === 0 ? undefined : Math.min(...passes)
}

function passWords(own: readonly IngestState[], next: number | undefined, { late, now }: UnreadFacts): string {
  const going = own.find(
    ({ passStartedAt, passFinishedAt }) => !(passFinishedAt !== undefined && passFinishedAt >= passStartedAt),
  )
  if (late) return `The worker is behind: ${LATE}. See the status page.`
  if (going)
    return `A pass is under way since ${momentWords(going.passStartedAt)}: ${going.done} of ${going.total} runs are done.`
  if (next === undefined) return 'No worker follows the bucket: it will be read when a worker is started again.'
  return next <= now ? 'The next pass is about to begin.' : `The next pass begins at ${momentWords(next)}.`
}

function readOnce({ bucket, path }: NamedRun): string {
  const address = bucket === undefined || path === undefined ? '<its address>' : `gs://${bucket}/${path}`
  return `It can be read by itself: npm run ingest -- --run ${address}`
}
