import { utc } from '../evidence/words.ts'
import type { Gap } from '../model/gap.ts'
import type { IngestState } from '../model/ingest-state.ts'
import type { Lacking } from '../search/tally.ts'
import { filledFrom } from '../store/fill.ts'
import type { IndexStatus } from '../store/store.ts'
import type { Context, StoredContext } from './context.ts'
import { knownStatus } from './known-status.ts'
import { gapsOfAll, ingestStates, isUnderWay, reevaluationOf } from './passes.ts'
import { freshnessOf } from './status.ts'
import type { DataLack, DataReach, Freshness } from './views.ts'

/** What is said, wherever it is said, of a worker that is behind and of an index that is damaged. */
export const LATE = 'no pass of the worker has ended in time'
export function quarantineWords({ quarantined }: IndexStatus): string | undefined {
  if (quarantined === 0) return undefined
  const parts = quarantined === 1 ? '1 damaged part' : `${quarantined} damaged parts`
  return `${parts} of the index set aside: their blocks are read in every search until the worker has indexed them anew`
}

/** Epoch ms; `to` is exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/**
 * How far the data reaches that a search goes through. Asked for before the search: what it finds is never older. Gaps
 * are those of the range; without one, of all time.
 */
export async function dataReach(ctx: StoredContext, range?: Range): Promise<DataReach> {
  const [store, states, filling] = await Promise.all([knownStatus(ctx), ingestStates(ctx.store), filledFrom(ctx.store)])
  const { state, readTo, completeTo } = freshnessOf(store, states, ctx.now())
  const gaps = await openGaps(ctx.store, states, range)
  const { blocks, indexed, quarantined } = store.index
  const damaged = quarantineWords(store.index)
  const lacks: readonly (readonly [DataLack, boolean])[] = [
    ['incomplete', completeTo === undefined],
    ['late', state === 'late'],
    ['filling', filling !== undefined],
    ['gap', gaps.length > 0],
  ]
  return {
    state,
    ...(readTo === undefined ? {} : { readTo }),
    ...(completeTo === undefined ? {} : { completeTo }),
    index: { blocks, indexed, quarantined },
    words: `${reachWords({ state, readTo, completeTo })}; ${indexWords(store.index)}`,
    warnings: [
      ...(state === 'late' ? [`the data is late: ${LATE}`] : []),
      ...(filling === undefined ? [] : ['a restore or a move into this store has not ended']),
      ...gaps.map(gapWords),
      ...(damaged ? [damaged] : []),
    ],
    lacking: lacks.flatMap(([lack, holds]) => (holds ? [lack] : [])),
  }
}

/** The same for figures that rest on signatures' hits. */
export async function figuresReach(ctx: StoredContext, range?: Range): Promise<DataReach> {
  const [reach, again] = await Promise.all([dataReach(ctx, range), reevaluationOf(ctx.store)])
  if (!isUnderWay(again)) return reach
  return {
    ...reach,
    warnings: [...reach.warnings, 'signatures that were edited are being looked for anew'],
    lacking: [...reach.lacking, 'reevaluation'],
  }
}

/** All that a count may lack: what its search left out, and what the data lacks. */
export function lackingOf(counted: { readonly partial: readonly Lacking[]; readonly reach?: DataReach | undefined }) {
  return [...counted.partial, ...(counted.reach?.lacking ?? [])]
}

async function openGaps(store: Context['store'], states: readonly IngestState[], range: Range | undefined) {
  return (await gapsOfAll(store, states)).filter((gap) => isOpenIn(gap, range))
}

/** Whether runs of the range may be missing for it. */
export function isOpenIn({ filledAt, from, to }: Gap, range: Range | undefined): boolean {
  return filledAt === undefined && (range === undefined || (from < range.to && range.from < to))
}

function gapWords({ from, to, detail }: Gap): string {
  return `runs may be missing from ${utc(from)} to ${utc(to)}: ${detail}`
}

function reachWords({
  state,
  readTo,
  completeTo,
}: { [K in 'state' | 'readTo' | 'completeTo']: Freshness[K] | undefined }) {
  if (completeTo !== undefined) return `complete for runs started before ${utc(completeTo)}`
  if (readTo !== undefined) return `read to ${utc(readTo)}`
  return state === 'reading'
    ? 'the first pass of the worker is still reading'
    : 'no worker has reported how far it read'
}

/** Rounded down: all is all. */
function indexWords({ blocks, indexed }: IndexStatus): string {
  if (blocks === 0) return 'no text is kept'
  return `${Math.floor((100 * Math.min(indexed, blocks)) / blocks)}% of ${blocks.toLocaleString('en-US')} blocks indexed`
}
