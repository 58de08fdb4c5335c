import { descending, group, max } from 'd3-array'
import { STATES } from '../incident/verdict.ts'
import { cadenceLine } from '../incident/words.ts'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { HitCount } from '../store/store.ts'
import type { Killed } from '../triage/coverage.ts'
import type { Context } from './context.ts'
import { coverageData } from './coverage.ts'
import { type Judgement, verdicts } from './verdicts.ts'
import type { TriageRow, TriageView } from './views.ts'

const DAY = 86_400_000
const STRIP_DAYS = 90

/** What wants attention: one row a signature, its parts beneath it, those struck in the last day first. */
export async function triage(ctx: Context): Promise<TriageView> {
  const now = ctx.now()
  const { store } = ctx
  const [catalogue, status, incidents, judged, { window: recent, coverage }] = await Promise.all([
    ctx.catalogue(),
    store.status(),
    store.incidents({}),
    verdicts(ctx),
    coverageData(ctx),
  ])
  const window = { from: Math.max(now - STRIP_DAYS * DAY, startOfDay(status.oldest ?? now)), to: now }
  const [inWindow, inDay] = await Promise.all([
    store.countHits(window),
    store.countHits({ from: now - DAY, to: now + 1 }),
  ])
  const row = rowMaker({
    now,
    window,
    judged,
    signatures: catalogue.signatures,
    incidents: group(incidents, (incident) => incident.signature),
    inWindow: byId(inWindow),
    inDay: byId(inDay),
    killed: new Map(coverage.signatures.map((killed) => [killed.signature, killed])),
  })
  const rows = catalogue.signatures.filter((one) => !one.part).flatMap(row)
  rows.sort(byAttention)
  return {
    window,
    coverage: { window: recent, failed: coverage.failed, died: coverage.died, apart: coverage.apart },
    rows: rows.filter((one) => !isMuted(one.signature, now)),
    muted: rows.filter((one) => isMuted(one.signature, now)),
    catalogueProblems: catalogue.problems,
  }
}

interface RowInput {
  readonly now: number
  readonly window: TriageView['window']
  readonly judged: ReadonlyMap<string, Judgement>
  readonly signatures: readonly Signature[]
  readonly incidents: ReadonlyMap<string, readonly Incident[]>
  readonly inWindow: ReadonlyMap<string, HitCount>
  readonly inDay: ReadonlyMap<string, HitCount>
  readonly killed: ReadonlyMap<string, Killed>
}

function rowMaker(input: RowInput): (signature: Signature) => TriageRow[] {
  return (signature) => {
    const judged = input.judged.get(signature.id)
    if (!judged) return []
    const { cadence, verdict } = judged
    const incidents = input.incidents.get(signature.id) ?? []
    const killed = input.killed.get(signature.id)
    const lastSeen = max(incidents, (incident) => incident.to.latest)
    const made: TriageRow = {
      signature,
      parts: input.signatures
        .filter((part) => part.part?.of === signature.id && !isRetired(part))
        .map((part) => ({ signature: part, runsHit: input.inWindow.get(part.id)?.runs ?? 0 })),
      cadence,
      verdict,
      words: cadenceLine(cadence, verdict, input.now),
      incidents: incidents.filter(({ at }) => at >= input.window.from),
      ...(killed && { killed }),
      ...(lastSeen !== undefined && { lastSeen }),
      runsHit: input.inWindow.get(signature.id)?.runs ?? 0,
      hits24h: input.inDay.get(signature.id)?.runs ?? 0,
    }
    return [made]
  }
}

/** By state, then what struck lately, then what kills most. */
function byAttention(a: TriageRow, b: TriageRow): number {
  return (
    attention(a) - attention(b) ||
    descending(a.killed?.share.part ?? 0, b.killed?.share.part ?? 0) ||
    descending(a.hits24h, b.hits24h) ||
    descending(a.lastSeen ?? 0, b.lastSeen ?? 0) ||
    (a.signature.id < b.signature.id ? -1 : 1)
  )
}

function attention({ verdict }: TriageRow): number {
  return STATES.indexOf(verdict.state)
}

function isRetired({ status }: Signature): boolean {
  return status.state === 'retired'
}

/** A mute that has run out is none. */
function isMuted({ status }: Signature, now: number): boolean {
  return status.state === 'muted' && (status.until ?? Number.POSITIVE_INFINITY) > now
}

function byId(counts: readonly HitCount[]): Map<string, HitCount> {
  return new Map(counts.map((count) => [count.signature, count]))
}

function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY
}
