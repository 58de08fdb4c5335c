import { cadence } from '../incident/cadence.ts'
import { changesSeen, firstSeenOf, type SeenChanges } from '../incident/seen-changes.ts'
import { verdict } from '../incident/verdict.ts'
import type { Gap } from '../model/gap.ts'
import type { Cadence, Incident } from '../model/incident.ts'
import type { IngestState } from '../model/ingest-state.ts'
import type { Signature } from '../model/signature.ts'
import type { Verdict } from '../model/verdict.ts'
import { type Definitions, definitionsOf } from '../signature/definitions.ts'
import type { ExposureHour, Store, StoreStatus } from '../store/store.ts'
import { gapsOfAll } from './passes.ts'
import { ratesEnd } from './rates-end.ts'
import { verdictFacts } from './verdict-facts.ts'

const HOUR = 3_600_000
/** A run's time is when it finished: the oldest began this long before at most. */
const LONGEST_RUN_MS = 48 * HOUR

export interface SignatureData {
  readonly cadence: Cadence
  readonly verdict: Verdict
  readonly exposure: readonly ExposureHour[]
}

type DataStore = Pick<Store, 'exposure' | 'exposedRuns' | 'countRuns' | 'state'>

/** What figures of all signatures rest on. Epoch ms. */
export interface Grounds {
  readonly now: number
  /** The oldest run's time, and where rates and quiet end. */
  readonly oldest: number
  readonly end: number
  readonly seen: SeenChanges
  /** Times in which runs may still be missing. */
  readonly gaps: readonly Gap[]
  readonly definitions: Definitions | undefined
}

export async function groundsOf(
  store: Pick<Store, 'state'>,
  { status, states, now }: { status: StoreStatus; states: readonly IngestState[]; now: number },
): Promise<Grounds> {
  const end = ratesEnd(status, states, now)
  const [seen, definitions, gaps] = await Promise.all([
    changesSeen(store),
    definitionsOf(store),
    gapsOfAll(store, states),
  ])
  const open = gaps.filter(({ filledAt }) => filledAt === undefined)
  return { now, oldest: status.oldest ?? end, end, seen, gaps: open, definitions }
}

/** A signature's exposure from the oldest run on, the cadence of its incidents over it, and what is to be said of them. */
export async function signatureData(
  store: DataStore,
  signature: Signature,
  incidents: readonly Incident[],
  { now, oldest, end, seen, gaps, definitions }: Grounds,
): Promise<SignatureData> {
  const all = await store.exposure(signature.id, oldest - LONGEST_RUN_MS, end)
  const exposure = all.filter(({ hour }) => !gaps.some(({ from, to }) => hour < to && hour + HOUR > from))
  const { kind, windowMs, changes } = signature
  const firstSeen = firstSeenOf(seen, signature.id, now)
  const evaluatedFrom = definitions?.[signature.id]?.since ?? 0
  const found = cadence({ kind, windowMs, changes, incidents, exposure, firstSeen, evaluatedFrom, completeTo: end })
  return { exposure, cadence: found, verdict: verdict(found, await verdictFacts(store, signature, found, incidents)) }
}
