import { z } from 'zod'
import { ProwlError } from '#lib/errors.ts'
import { snowflakeTime } from '#lib/model/build-id.ts'
import { Refs, text, time } from '../read/documents.ts'
import type { RetryPolicy } from '../source/retry.ts'
import type { Source } from '../source/source.ts'
import type { Discovery, Found, FoundRun, Scope } from './discovery.ts'
import { type Lead, Locator } from './locate.ts'
import { askDeck, type Taker } from './prow-jobs.ts'

export interface DeckOptions {
  /** Address of Deck, e.g. `https://prow.ci.openshift.org`. */
  readonly deck: string
  readonly source: Source
  /** Names that the bucket has in addresses, without scheme; its own is among them by itself. */
  readonly aliases?: readonly string[] | undefined
  readonly retries?: RetryPolicy | undefined
  /** Of the whole answer with its retries, ms. */
  readonly timeoutMs?: number | undefined
  /** Epoch ms; an answer without an ended run covers from then. */
  readonly now?: () => number
}

/** pkg/apis/prowjobs/v1 in kubernetes-sigs/prow; annotations, labels and pod are left out of the answer. */
const Item = z.object({
  spec: z.object({ job: z.string().min(1), type: text, refs: Refs }),
  status: z
    .object({ state: text, startTime: time, completionTime: time, build_id: text, url: text })
    .partial()
    .default({}),
})
type Item = z.infer<typeof Item>

const FAILED = new Set(['failure', 'error', 'aborted'])

/** Runs by what Deck holds of ProwJobs: those of the last day to ten, the unfinished among them. */
export function deckDiscovery(options: DeckOptions): Discovery {
  const { deck, source, aliases = [], retries, timeoutMs, now = Date.now } = options
  const locator = new Locator(source, aliases)
  return {
    kind: 'deck',
    async find(scope) {
      const answer = await askDeck(() => new Answer(scope), { deck, retries, timeoutMs, signal: scope.signal })
      const runs = new Map<string, FoundRun>()
      const located = await locator.locate(answer.leads, scope)
      for (const [{ failed }, run] of located)
        runs.set(run.path, failed || runs.get(run.path)?.failed ? { ...run, failed: true } : run)
      if (located.size === 0 && answer.leads.some((lead) => lead.ended)) throw ofAnother(deck, source)
      answer.skip('not in this bucket', answer.leads.length - located.size)
      return {
        runs: [...runs.values()],
        from: Math.max(scope.from, answer.reach ?? now()),
        gaps: [],
        ...answer.skipped,
      }
    },
  }
}

interface DeckLead extends Lead {
  readonly ended: boolean
  readonly failed: boolean
}

/** To take it at its word would be to find nothing for ever. */
function ofAnother(deck: string, { bucket }: Source): ProwlError {
  const message = `${deck}: none of its ProwJobs lies in ${bucket}; check that this is the bucket's Deck`
  return new ProwlError('DISCOVERY_FAILED', message)
}

/** What of an answer is in scope: nothing else of it is kept. */
class Answer implements Taker {
  readonly leads: DeckLead[] = []
  readonly #scope: Scope
  readonly #skipped: Record<string, number> = {}
  readonly #reach = new Reach()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  get reach(): number | undefined {
    return this.#reach.from
  }

  get skipped(): Pick<Found, 'skipped'> {
    return { skipped: this.#skipped }
  }

  take(value: unknown): void {
    const item = Item.safeParse(value).data
    if (item) this.#reach.add(item)
    const against = item ? this.#against(item) : 'not a ProwJob'
    if (against !== undefined) this.skip(against)
    else if (item?.status.build_id !== undefined) this.leads.push(leadOf(item, item.status.build_id))
  }

  skip(why: string, count = 1): void {
    if (count > 0) this.#skipped[why] = (this.#skipped[why] ?? 0) + count
  }

  #against({ spec, status }: Item): string | undefined {
    if (!this.#scope.jobs(spec.job)) return 'of another job'
    if (status.build_id === undefined) return 'without a build id'
    return this.#isInScope(status.build_id, status) ? undefined : 'of another time'
  }

  /** By any of its times: clocks differ, and a run may be uploaded only as it ends. */
  #isInScope(buildId: string, { startTime, completionTime }: Item['status']): boolean {
    const { from, to = Number.POSITIVE_INFINITY } = this.#scope
    const times = [snowflakeTime(buildId), startTime, completionTime].filter((at) => at !== undefined)
    return times.length === 0 || (Math.max(...times) >= from && Math.min(...times) <= to)
  }
}

function leadOf({ spec, status }: Item, buildId: string): DeckLead {
  return {
    job: spec.job,
    buildId,
    type: spec.type,
    url: status.url,
    org: spec.refs?.org,
    repo: spec.refs?.repo,
    pull: spec.refs?.pulls[0]?.number,
    ended: status.completionTime !== undefined,
    failed: FAILED.has(status.state ?? ''),
  }
}

/**
 * How far back an answer reaches. Prow's sinker (cmd/sinker) sweeps away what has ended and began more than
 * `max_prowjob_age` before the sweep, but for the latest of each periodic. So whatever is still there ended after
 * the time up to which was swept, the one periodic spared excepted, which is the oldest of its job: every run that
 * began since the first of these ends is in the answer. The first *start* would claim more than is there: a long run
 * outlives the sweep that took its contemporaries.
 */
class Reach {
  from: number | undefined
  readonly #oldest = new Map<string, { began: number; ended: number }>()

  add({ spec, status: { startTime: began, completionTime: ended } }: Item): void {
    if (began === undefined || ended === undefined) return
    const oldest = spec.type === 'periodic' ? this.#oldest.get(spec.job) : { began: 0, ended }
    const isOldest = began < (oldest?.began ?? Number.POSITIVE_INFINITY)
    if (oldest) this.#swept(isOldest ? oldest.ended : ended)
    if (isOldest) this.#oldest.set(spec.job, { began, ended })
  }

  #swept(ended: number): void {
    this.from = Math.min(this.from ?? ended, ended)
  }
}
