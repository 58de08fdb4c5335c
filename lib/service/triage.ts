import { descending, group, max } from 'd3-array'
import { STATES } from '../incident/verdict.ts'
import { STATE_WORDS } from '../incident/verdict-words.ts'
import { cadenceLine } from '../incident/words.ts'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { Killed } from '../triage/coverage.ts'
import { isMuted } from '../triage/mutes.ts'
import { lastDay } from '../triage/usual.ts'
import type { Context } from './context.ts'
import { coverageData } from './coverage.ts'
import { knownStatus } from './known-status.ts'
import { kept } from './memo.ts'
import { ownedBy, ownersOf } from './owners.ts'
import { ingestStates } from './passes.ts'
import { type Grounds, groundsOf } from './signature-data.ts'
import { parseSince } from './since.ts'
import { newsSince } from './triage-news.ts'
import { type Judgement, verdicts } from './verdicts.ts'
import type { TriageRow, TriageView } from './views.ts'

const DAY = 86_400_000
const STRIP_DAYS = 90
/** What came before a change is not usual any more, once so many days tell what is. */
const SINCE_CHANGE_MS = 8 * DAY

/** As the address asks, unread. */
export interface TriageRequest {
  /** Where news begins: a UTC time, a day, or a duration before now. */
  readonly since?: string | undefined
  readonly owner?: string | undefined
}

/** What wants attention: one row a signature, its parts beneath it, and what is new. Throws QUERY_INVALID. */
export async function triage(ctx: Context, request: TriageRequest = {}): Promise<TriageView> {
  const now = ctx.now()
  const since = parseSince(request.since, now)
  const { store } = ctx
  const [catalogue, status, states, incidents, judged, { window: recent, coverage }] = await Promise.all([
    ctx.catalogue(),
    knownStatus(ctx),
    ingestStates(store),
    kept(ctx, 'all incidents', () => store.incidents({})),
    verdicts(ctx),
    coverageData(ctx),
  ])
  const listed = catalogue.signatures.filter((one) => !one.part && !isRetired(one))
  const own = listed.filter(ownedBy(listed, request.owner))
  const window = { from: Math.max(now - STRIP_DAYS * DAY, startOfDay(status.oldest ?? now)), to: now }
  const [inWindow, grounds] = await Promise.all([
    kept(ctx, 'hits of the strip', () => store.countHits(window)),
    groundsOf(store, { status, states, now }),
  ])
  const row = rowMaker({
    window,
    judged,
    grounds,
    signatures: catalogue.signatures,
    incidents: group(incidents, (incident) => incident.signature),
    runsHit: new Map(inWindow.map(({ signature, runs }) => [signature, runs])),
    killed: new Map(coverage.signatures.map((killed) => [killed.signature, killed])),
  })
  const rows = own.flatMap(row).sort(byAttention)
  const watched = own.filter((one) => !isMuted(one, now))
  return {
    window,
    coverage: { window: recent, failed: coverage.failed, died: coverage.died, apart: coverage.apart },
    news: await newsSince(ctx, watched, { since, grounds, judged, incidents, groups: !request.owner }),
    owners: ownersOf(listed),
    ...(request.owner && { owner: request.owner }),
    rows: rows.filter((one) => !isMuted(one.signature, now)),
    muted: rows.filter((one) => isMuted(one.signature, now)),
    catalogueProblems: catalogue.problems,
  }
}

interface RowInput {
  readonly window: TriageView['window']
  readonly judged: ReadonlyMap<string, Judgement>
  readonly grounds: Grounds
  readonly signatures: readonly Signature[]
  readonly incidents: ReadonlyMap<string, readonly Incident[]>
  readonly runsHit: ReadonlyMap<string, number>
  readonly killed: ReadonlyMap<string, Killed>
}

function rowMaker(input: RowInput): (signature: Signature) => TriageRow[] {
  const { window, grounds, runsHit } = input
  const { now } = grounds
  return (signature) => {
    const judged = input.judged.get(signature.id)
    if (!judged) return []
    const { cadence, verdict } = judged
    const incidents = input.incidents.get(signature.id) ?? []
    const killed = input.killed.get(signature.id)
    const lastSeen = max(incidents, (incident) => incident.to.latest)
    const day = lastDay(incidents, { now, from: usualFrom(input, judged), gaps: grounds.gaps })
    const made: TriageRow = {
      signature,
      parts: input.signatures
        .filter((part) => part.part?.of === signature.id && !isRetired(part))
        .map((part) => ({ signature: part, runsHit: runsHit.get(part.id) ?? 0 })),
      cadence,
      verdict,
      stateWord: STATE_WORDS[verdict.state],
      words: cadenceLine(cadence, verdict, now),
      incidents: incidents.filter(({ at }) => at >= window.from),
      ...(killed && { killed }),
      ...(lastSeen !== undefined && { lastSeen }),
      runsHit: runsHit.get(signature.id) ?? 0,
      hits24h: day.runs,
      ...(day.usual && { usual24h: day.usual }),
    }
    return [made]
  }
}

/** Since the change judged, or since a run could have shown it; never before the strip. */
function usualFrom({ window, grounds }: RowInput, { cadence: { from, group: changes } }: Judgement): number {
  const sinceChange = changes && grounds.now - changes.to >= SINCE_CHANGE_MS
  return Math.max(window.from, grounds.oldest, sinceChange ? changes.to : from)
}

/** By state, then what kills most, then what struck lately. */
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

function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY
}
