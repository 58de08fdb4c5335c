import { utcFormat } from 'd3-time-format'
import type { IndexStatus } from '../store/store.ts'
import type { Context } from './context.ts'
import { ingestStates } from './passes.ts'
import { freshnessOf } from './status.ts'
import type { DataReach, Freshness } from './views.ts'

/** What is said, wherever it is said, of a worker that is behind and of an index that is damaged. */
export const LATE = 'no pass of the worker has ended in time'
export function quarantineWords({ quarantined }: IndexStatus): string | undefined {
  if (quarantined === 0) return undefined
  const parts = quarantined === 1 ? '1 damaged part' : `${quarantined} damaged parts`
  return `${parts} of the index set aside: their blocks are read in every search until the worker has indexed them anew`
}

/** How far the data reaches that a search goes through. Asked for before the search: what it finds is never older. */
export async function dataReach(ctx: Pick<Context, 'store' | 'now'>): Promise<DataReach> {
  const [store, states] = await Promise.all([ctx.store.status(), ingestStates(ctx.store)])
  const { state, readTo, completeTo } = freshnessOf(store, states, ctx.now())
  const { blocks, indexed, quarantined } = store.index
  const damaged = quarantineWords(store.index)
  return {
    state,
    ...(readTo === undefined ? {} : { readTo }),
    ...(completeTo === undefined ? {} : { completeTo }),
    index: { blocks, indexed, quarantined },
    words: `${reachWords({ state, readTo, completeTo })}; ${indexWords(store.index)}`,
    warnings: [...(state === 'late' ? [`the data is late: ${LATE}`] : []), ...(damaged ? [damaged] : [])],
  }
}

const moment = utcFormat('%-d %b %Y %H:%M UTC')

function reachWords({
  state,
  readTo,
  completeTo,
}: { [K in 'state' | 'readTo' | 'completeTo']: Freshness[K] | undefined }) {
  if (completeTo !== undefined) return `complete for runs started before ${moment(new Date(completeTo))}`
  if (readTo !== undefined) return `read to ${moment(new Date(readTo))}`
  return state === 'reading'
    ? 'the first pass of the worker is still reading'
    : 'no worker has reported how far it read'
}

/** Rounded down: all is all. */
function indexWords({ blocks, indexed }: IndexStatus): string {
  if (blocks === 0) return 'no text is kept'
  return `${Math.floor((100 * Math.min(indexed, blocks)) / blocks)}% of ${blocks.toLocaleString('en-US')} blocks indexed`
}
