import { min } from 'd3-array'
import type { IngestState } from '../model/ingest-state.ts'
import type { StoreStatus } from '../store/store.ts'

/**
 * Where rates and quiet end (epoch ms): the moment up to which every bucket's runs are in. While a first pass still
 * runs nothing is known of that, and they end at the newest run read.
 */
export function ratesEnd(store: StoreStatus, states: readonly IngestState[], now: number): number {
  return Math.min(now, ofAll(states, (state) => state.completeTo) ?? store.newest ?? now)
}

/** The least of a time that every bucket has; undefined as soon as one has none. */
export function ofAll(
  states: readonly IngestState[],
  time: (state: IngestState) => number | undefined,
): number | undefined {
  return states.every((state) => time(state) !== undefined) ? min(states, time) : undefined
}
