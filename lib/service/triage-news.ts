import { group } from 'd3-array'
import { eligible } from '../incident/cadence.ts'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import { dayOf } from '../store/order.ts'
import { isFirstEver, type NewGroup, type News, newsOf } from '../triage/news.ts'
import type { Context } from './context.ts'
import { FAILED, type GroupRow, groupsView } from './groups.ts'
import { kept } from './memo.ts'
import { type Grounds, signatureData } from './signature-data.ts'
import type { Judgement } from './verdicts.ts'

/** One run that failed as no other is no news, as an incident of one vote is none. */
const RUNS_OF_A_GROUP = 2

export interface NewsGrounds {
  readonly since: number
  readonly grounds: Grounds
  readonly judged: ReadonlyMap<string, Judgement>
  readonly incidents: readonly Incident[]
}

/** What came since then of these signatures, and with `groups` of failures that none knows. */
export async function newsSince(
  ctx: Context,
  signatures: readonly Signature[],
  { since, grounds, judged, incidents, groups }: NewsGrounds & { readonly groups: boolean },
): Promise<News> {
  const own = group(incidents, ({ signature }) => signature)
  const struck = signatures.map(async (signature) => {
    const found = judged.get(signature.id)
    const all = [...(own.get(signature.id) ?? [])].sort((a, b) => a.at - b.at)
    const counted = eligible(signature.kind, all)
    const lately = counted.find(({ at }) => at >= since)
    const failure = { signature, counted, ...found }
    if (!failure.cadence) return []
    const { cadence } = failure
    const asks = lately && !cadence.group && !isFirstEver({ cadence, counted }, since)
    const wasQuiet = Boolean(asks && (await quietBefore(ctx, signature, all, { grounds, at: lately.at })))
    return newsOf({ signature, counted, cadence, wasQuiet }, { since, end: grounds.end })
  })
  const [told, fresh] = await Promise.all([Promise.all(struck), groups ? newGroups(ctx, since) : []])
  return { since, struck: told.flat(), groups: fresh }
}

/** Whether the page would have called it quiet a moment before it struck. */
async function quietBefore(
  ctx: Context,
  signature: Signature,
  incidents: readonly Incident[],
  { grounds, at }: { readonly grounds: Grounds; readonly at: number },
): Promise<boolean> {
  return await kept(ctx, `quiet before ${signature.id} ${at}`, async () => {
    const before = incidents.filter((incident) => incident.at < at)
    const { verdict } = await signatureData(ctx.store, signature, before, { ...grounds, now: at, end: at })
    return verdict.state === 'quiet'
  })
}

async function newGroups(ctx: Context, since: number): Promise<NewGroup[]> {
  const { groups } = await groupsView(ctx)
  const day = dayOf(since)
  const fresh = groups.filter(({ isNew, runs, firstSeen }) => isNew && runs >= RUNS_OF_A_GROUP && firstSeen >= day)
  const seen = await Promise.all(fresh.map((each) => each.firstSeen === day && seenBefore(ctx, each, since)))
  return fresh.filter((_, i) => !seen[i]).map(({ id, runs, example }) => ({ id, runs, text: example.failure.text }))
}

/** On the same day, but earlier. */
async function seenBefore({ store }: Context, { id }: Pick<GroupRow, 'id'>, since: number): Promise<boolean> {
  const from = Date.parse(dayOf(since))
  const { items } = await store.runs({ failures: [id], from, to: since, ...FAILED }, { limit: 1 })
  return items.length > 0
}
