import type { Cadence, Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'

const DAY = 86_400_000
/** What was looked for less long before it first struck may have struck before that. */
const KNOWN_MS = 7 * DAY

/**
 * `new`: its first incident ever; `again`: its first since a change, or after a quiet; `under way`: an incident that may
 * not have ended.
 */
export type NewsKind = 'new' | 'again' | 'under way'

export interface Struck {
  readonly kind: NewsKind
  readonly signature: Pick<Signature, 'id' | 'title'>
  /** Epoch ms; `from` at the earliest, `to` at the latest. */
  readonly incident: Pick<Incident, 'id' | 'at' | 'clusters'> & {
    readonly from: number
    readonly to: number
    readonly runs: number
  }
  /** What it was seen again after. */
  readonly after?: 'change' | 'quiet'
}

/** Failures that no signature knows and that are alike, first seen since. */
export interface NewGroup {
  readonly id: string
  readonly text: string
  readonly runs: number
}

export interface News {
  /** Epoch ms. */
  readonly since: number
  readonly struck: readonly Struck[]
  readonly groups: readonly NewGroup[]
}

/** What is known of one signature. */
export interface Failure {
  readonly signature: Pick<Signature, 'id' | 'title' | 'kind' | 'windowMs'>
  readonly cadence: Pick<Cadence, 'from' | 'group' | 'since' | 'continuous'>
  /** Incidents that count, by time. */
  readonly counted: readonly Incident[]
  /** Its first incident since then ended a quiet. */
  readonly wasQuiet: boolean
}

/** The news of one signature since `since`; `end` is where runs cease to be complete. Epoch ms. */
export function newsOf(failure: Failure, { since, end }: { readonly since: number; readonly end: number }): Struck[] {
  return [...firstOf(failure, since), ...underWay(failure, Math.max(since, end - failure.signature.windowMs))]
}

/** The first incident since then, where it is the first of all. */
export function isFirstEver({ cadence, counted }: Pick<Failure, 'cadence' | 'counted'>, since: number): boolean {
  const [first] = counted
  return first !== undefined && first.at >= since && first.at - cadence.from >= KNOWN_MS
}

function firstOf(failure: Failure, since: number): Struck[] {
  const { cadence, counted, wasQuiet } = failure
  const lately = counted.find(({ at }) => at >= since)
  if (!lately) return []
  if (isFirstEver(failure, since)) return [told(failure, 'new', lately)]
  const [again] = cadence.since
  const first = again !== undefined && again >= since ? counted.find(({ at }) => at === again) : undefined
  if (first) return [{ ...told(failure, 'again', first), after: 'change' }]
  return wasQuiet ? [{ ...told(failure, 'again', lately), after: 'quiet' }] : []
}

/** Only outages last; and one that is continuous always does, which is no news. */
function underWay(failure: Failure, from: number): Struck[] {
  const { signature, cadence, counted } = failure
  if (signature.kind !== 'outage' || cadence.continuous) return []
  return counted.filter(({ to }) => to.latest >= from).map((incident) => told(failure, 'under way', incident))
}

function told({ signature: { id, title } }: Failure, kind: NewsKind, incident: Incident): Struck {
  const { from, to, at, clusters, runs } = incident
  return {
    kind,
    signature: { id, title },
    incident: { id: incident.id, at, from: from.earliest, to: to.latest, runs: runs.length, clusters },
  }
}
