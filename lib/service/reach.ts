import { utcFormat } from 'd3-time-format'
import type { Gap } from '../model/gap.ts'
import type { IngestState } from '../model/ingest-state.ts'
import type { Lacking } from '../search/tally.ts'
import { filledFrom } from '../store/fill.ts'
import type { IndexStatus } from '../store/store.ts'
import type { Context } from './context.ts'
import { gapsOf, ingestStates, reevaluationOf } from './passes.ts'
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
export async function dataReach(ctx: Pick<Context, 'store' | 'now'>, range?: Range): Promise<DataReach> {
  const [store, states, filling] = await Promise.all([
    ctx.store.status(),
    ingestStates(ctx.store),
    filledFrom(ctx.store),
  ])
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
export async function figuresReach(ctx: Pick<Context, 'store' | 'now'>, range?: Range): Promise<DataReach> {
  const [reach, again] = await Promise.all([dataReach(ctx, range), reevaluationOf(ctx.store)])
  if (again === undefined || again.finishedAt !== undefined) return reach
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
  const gaps = await Promise.all(states.map(({ bucket }) => gapsOf(store, bucket)))
  return gaps.flat().filter((gap) => isOpenIn(gap, range))
}

/** Whether runs of the range may be missing for it. */
export function isOpenIn({ filledAt, from, to }: Gap, range: Range | undefined): boolean {
  return filledAt === undefined && (range === undefined || (from < range.to && range.from < to))
}

const moment = utcFormat('%-d %b %Y %H:%M UTC')

/** `3 Nov 2026 09:14 UTC` */
export function momentWords(at: number): string {
  return moment(new Date(at))
}

function gapWords({ from, to, detail }: Gap): string {
  return `runs may be missing from ${momentWords(from)} to ${momentWords(to)}: ${detail}`
}

function reachWords({
  state,
  readTo,
  completeTo,
}: { [K in 'state' | 'readTo' | 'completeTo']: Freshness[K] | undefined }) {
  if (completeTo !== undefined) return `complete for runs started before ${momentWords(completeTo)}`
  if (readTo !== undefined) return `read to ${momentWords(readTo)}`
  return state === 'reading'
    ? 'the first pass of the worker is still reading'
    : 'no worker has reported how far it read'
}

/** Rounded down: all is all. */
function indexWords({ blocks, indexed }: IndexStatus): string {
  if (blocks === 0) return 'no text is kept'
  return `${Math.floor((100 * Math.min(indexed, blocks)) / blocks)}% of ${blocks.toLocaleString('en-US')} blocks indexed`
}
