import { rollup, sum } from 'd3-array'
import { HOLDING_CHANCE } from '../incident/verdict.ts'
import type { BackfillState, IngestState, ReevaluationState } from '../model/ingest-state.ts'
import { filledFrom } from '../store/fill.ts'
import type { StoreStatus } from '../store/store.ts'
import type { Context } from './context.ts'
import { knownStatus } from './known-status.ts'
import { backfillOf, gapsOf, ingestStates, isUnderWay, reevaluationOf } from './passes.ts'
import { ofAll } from './rates-end.ts'
import { changesWatched } from './verdicts.ts'
import type { BucketStatus, Freshness, StatusView } from './views.ts'

const MINUTE = 60_000
/** Problems that are counted by code. */
const CODED = 1000

/** Can the data be trusted: what is stored, how fresh, what could not be read. */
export async function statusView(ctx: Context): Promise<StatusView> {
  const [store, states, filling, catalogue, reevaluation, watched, { items: problems }] = await Promise.all([
    knownStatus(ctx),
    ingestStates(ctx.store),
    filledFrom(ctx.store),
    ctx.catalogue(),
    reevaluationOf(ctx.store),
    changesWatched(ctx),
    ctx.store.problems({ limit: CODED }),
  ])
  return {
    store,
    freshness: freshnessOf(store, states, ctx.now(), filling),
    buckets: await Promise.all(states.map((state) => bucketStatus(ctx, state))),
    problems: store.problems,
    problemCodes: [
      ...rollup(
        problems,
        ({ length }) => length,
        ({ code }) => code,
      ),
    ]
      .map(([code, runs]) => ({ code, runs }))
      .sort((a, b) => b.runs - a.runs || (a.code < b.code ? -1 : 1)),
    signatures: catalogue.signatures.length,
    changesWatched: { count: watched, chance: HOLDING_CHANCE },
    searching: ctx.searcher.load(),
    ...(isUnderWay(reevaluation) && { reevaluation: underWay(reevaluation) }),
    catalogueProblems: catalogue.problems,
  }
}

function underWay({ changed, done, total }: ReevaluationState): NonNullable<StatusView['reevaluation']> {
  return { signatures: Object.keys(changed), done, total }
}

async function bucketStatus({ store, now }: Context, state: IngestState): Promise<BucketStatus> {
  const { bucket, worker, completeTo, passFinishedAt, error, traffic } = state
  const [gaps, backfill] = await Promise.all([gapsOf(store, bucket), backfillOf(store, bucket)])
  return {
    bucket,
    ...(worker !== undefined && { worker }),
    ...(completeTo !== undefined && { completeTo, lag: Math.max(0, now() - completeTo) }),
    ...(passFinishedAt !== undefined && { lastPass: passFinishedAt }),
    ...(error !== undefined && { error }),
    queue: isReading(state) ? state.total - state.done : 0,
    retrying: state.retrying ?? 0,
    givenUp: state.givenUp ?? 0,
    discovery: state.discovery ?? [],
    cursors: state.cursors ?? {},
    ...(traffic && { traffic }),
    ...(backfill && { backfill: withoutBucket(backfill) }),
    gaps: [...gaps].sort((a, b) => b.to - a.to),
  }
}

function withoutBucket({ bucket: _, ...backfill }: BackfillState): Omit<BackfillState, 'bucket'> {
  return backfill
}

/** The freshness line of every page. */
export async function freshness(ctx: Context): Promise<Freshness> {
  const { store, now } = ctx
  const [status, states, filling] = await Promise.all([knownStatus(ctx), ingestStates(store), filledFrom(store)])
  return freshnessOf(status, states, now(), filling)
}

export function freshnessOf(
  store: StoreStatus,
  states: readonly IngestState[],
  now: number,
  filling?: string,
): Freshness {
  const readTo = ofAll(states, (state) => state.passFinishedAt)
  const completeTo = ofAll(states, (state) => state.completeTo)
  const reading = states.filter(isReading)
  return {
    ...(readTo !== undefined && { readTo }),
    ...(completeTo !== undefined && { completeTo }),
    runs: sum(Object.values(store.runs)),
    pending: store.runs.pending,
    truncated: store.truncatedLogs,
    problems: store.problemCount + states.filter((state) => state.error !== undefined).length,
    state: stateOf(states, now),
    ...(filling !== undefined && { filling: true }),
    ...(reading.length > 0 && {
      progress: { done: sum(reading, (state) => state.done), total: sum(reading, (state) => state.total) },
    }),
  }
}

function stateOf(states: readonly IngestState[], now: number): Freshness['state'] {
  if (states.length === 0) return 'never'
  if (states.some((state) => isLate(state, now))) return 'late'
  return states.some(isReading) ? 'reading' : 'fresh'
}

/** Of a bucket that is followed: no pass has ended for three turns and ten minutes. A first pass may take as long as it likes. */
function isLate({ followEverySeconds, passFinishedAt }: IngestState, now: number): boolean {
  if (followEverySeconds === undefined || passFinishedAt === undefined) return false
  return now - passFinishedAt > 3 * followEverySeconds * 1000 + 10 * MINUTE
}

function isReading({ passStartedAt, passFinishedAt }: IngestState): boolean {
  return passFinishedAt === undefined || passStartedAt > passFinishedAt
}
