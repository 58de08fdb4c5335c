import { group, sum } from 'd3-array'
import { ProwlError } from '../errors.ts'
import { runText } from '../incident/runs.ts'
import { cadenceSentences } from '../incident/words.ts'
import type { Hit } from '../model/hit.ts'
import type { Incident, IncidentRun } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { Catalogue } from '../signature/catalogue.ts'
import type { Definitions } from '../signature/definitions.ts'
import type { ExposureHour, OrderKey, Store } from '../store/store.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import { hitViews } from './hit-views.ts'
import { knownStatus } from './known-status.ts'
import { kept } from './memo.ts'
import { ingestStates } from './passes.ts'
import { groundsOf, signatureData } from './signature-data.ts'
import { freshnessOf } from './status.ts'
import type { SignatureView } from './views.ts'

const DAY = 86_400_000
const HITS = 50
/** Reads of hits for one page of a cause, which may be rare among them. */
const MAX_PAGES = 20

export interface SignatureOptions {
  /** Only hits of this cause are listed. */
  readonly cause?: string
  readonly after?: OrderKey
}

/** How often a signature strikes, and where. Throws NOT_FOUND. */
export async function signatureView(ctx: Context, id: string, options: SignatureOptions = {}): Promise<SignatureView> {
  const { store } = ctx
  const signature = findSignature(await ctx.catalogue(), id)
  const [figures, listed] = await Promise.all([
    kept(ctx, `signature ${signature.id}`, () => addUp(ctx, signature)),
    hitPage(store, signature, options),
  ])
  return {
    ...figures,
    hits: await hitViews(store, listed.hits),
    moreHits: listed.next !== undefined,
    ...(listed.next && { nextHits: listed.next }),
  }
}

/** All but its list of hits. */
async function addUp(
  ctx: Context,
  signature: Signature,
): Promise<Omit<SignatureView, 'hits' | 'moreHits' | 'nextHits'>> {
  const { store } = ctx
  const now = ctx.now()
  const [{ signatures }, status, states, incidents] = await Promise.all([
    ctx.catalogue(),
    knownStatus(ctx),
    ingestStates(store),
    store.incidents({ signature: signature.id }),
  ])
  const grounds = await groundsOf(store, { status, states, now })
  const { oldest, definitions } = grounds
  const { cadence, exposure, verdict } = await signatureData(store, signature, incidents, grounds)
  const window = { from: startOfDay(exposure.find(({ runs }) => runs > 0)?.hour ?? oldest), to: now }
  const drawn = incidents.filter(({ at }) => at >= window.from).sort((a, b) => a.at - b.at)
  const { completeTo } = freshnessOf(status, states, now)
  const parent = signatures.find((one) => one.id === signature.part?.of)
  return {
    signature,
    parts: signatures.filter((one) => one.part?.of === signature.id),
    ...(parent && { parent }),
    cadence,
    verdict,
    sentences: cadenceSentences(cadence, verdict, now),
    incidents: drawn,
    changes: signature.changes,
    days: daysOf(window, exposure, drawn),
    window,
    ...(completeTo !== undefined && { completeTo }),
    ...evaluatedFrom(definitions, signature),
    ...breakdown(signature, drawn),
  }
}

function evaluatedFrom(definitions: Definitions | undefined, { id }: Signature): Pick<SignatureView, 'evaluatedFrom'> {
  const since = definitions?.[id]?.since ?? 0
  return since > 0 ? { evaluatedFrom: since } : {}
}

/** By id, or an id that it had before. Throws NOT_FOUND. */
export function findSignature(catalogue: Catalogue, id: string): Signature {
  const found =
    catalogue.signatures.find((one) => one.id === id) ?? catalogue.signatures.find((one) => one.replaces.includes(id))
  if (!found) throw new ProwlError('NOT_FOUND', `no signature is named ${id}: the triage page lists them all`)
  return found
}

function daysOf(
  window: SignatureView['window'],
  exposure: readonly ExposureHour[],
  incidents: readonly Incident[],
): SignatureView['days'] {
  const watched = group(exposure, ({ hour }) => startOfDay(hour))
  const hit = group(incidents, ({ at }) => startOfDay(at))
  const days = Math.ceil((window.to - window.from) / DAY)
  return Array.from({ length: days }, (_, i) => {
    const day = window.from + i * DAY
    const hours = watched.get(day) ?? []
    return {
      day,
      watchedHours: hours.filter(({ runs }) => runs > 0).length,
      runs: sum(hours, ({ starts }) => starts),
      runsHit: runsHit(hit.get(day) ?? []).length,
    }
  })
}

function breakdown(signature: Signature, incidents: readonly Incident[]): Pick<SignatureView, 'causes' | 'outcomes'> {
  const runs = runsHit(incidents)
  const failed = runs.filter(({ result }) => isFailed(result)).length
  const passed = runs.filter(({ result }) => result === 'success').length
  return {
    causes: causeCounts(signature, incidents),
    outcomes: { failed, passed, other: runs.length - failed - passed },
  }
}

function causeCounts(signature: Signature, incidents: readonly Incident[]): SignatureView['causes'] {
  const all = incidents.flatMap(({ runs }) => runs)
  return signature.causes
    .map(({ id, title }) => ({
      id,
      title,
      runs: new Set(all.filter(({ causes }) => causes?.includes(id)).map(runText)).size,
    }))
    .filter(({ runs }) => runs > 0)
}

/** Each run once, though it may belong to several incidents. */
function runsHit(incidents: readonly Incident[]): IncidentRun[] {
  return [...new Map(incidents.flatMap(({ runs }) => runs.map((run) => [runText(run), run] as const))).values()]
}

async function hitPage(
  store: Store,
  signature: Signature,
  { cause, after }: SignatureOptions,
): Promise<{ hits: Hit[]; next?: OrderKey }> {
  const hits: Hit[] = []
  let next = after
  for (let page = 0; page < MAX_PAGES && hits.length < HITS; page++) {
    const limit = HITS - hits.length
    const read = await store.hits({ signature: signature.id }, next ? { limit, after: next } : { limit })
    hits.push(...read.items.filter((hit) => cause === undefined || hit.cause === cause))
    next = read.next
    if (!next) break
  }
  return next ? { hits, next } : { hits }
}

function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY
}
