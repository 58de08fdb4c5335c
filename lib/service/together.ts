import { max, range } from 'd3-array'
import { figure, times } from '../incident/figures.ts'
import { type Strike, struckTogether, TOGETHER_MS } from '../incident/meetings.ts'
import { runText } from '../incident/runs.ts'
import { candidates, moreThanChance, type Together } from '../incident/together.ts'
import type { Incident } from '../model/incident.ts'
import type { Store } from '../store/store.ts'
import type { Context } from './context.ts'
import { knownStatus } from './known-status.ts'
import { kept } from './memo.ts'
import type { Companion } from './views.ts'

const DAY = 86_400_000
const MONTH = 30 * DAY
/** An incident known no better than that it was during a run lasts as long as one. */
const LONGEST_RUN_MS = 2 * DAY

/** Pairs of signatures that strike together more often than chance, of all time. */
export async function strikingTogether(ctx: Context): Promise<readonly Together[]> {
  return await kept(ctx, 'striking together', async () => {
    const { store } = ctx
    const [{ signatures }, { oldest }] = await Promise.all([ctx.catalogue(), knownStatus(ctx)])
    const from = (oldest ?? ctx.now()) - LONGEST_RUN_MS
    const found = candidates(await allStrikes(store, from, ctx.now()), signatures)
    const named = [...new Set(found.pairs.flatMap((pair) => pair.signatures))]
    const exposures = await Promise.all(named.map((id) => store.exposure(id, from, ctx.now())))
    return moreThanChance(found, new Map(named.map((id, i) => [id, exposures[i] ?? []])))
  })
}

/** All incidents, a month at a time and without what is not needed: they are many, and each holds all of its runs. */
async function allStrikes(store: Pick<Store, 'incidents'>, oldest: number, now: number): Promise<Strike[]> {
  const bounds = range(oldest, now, MONTH)
  const strikes: Strike[] = []
  for (const [i, from] of [Number.NEGATIVE_INFINITY, ...bounds].entries()) {
    const to = bounds[i]
    const month = await store.incidents({ ...(i > 0 && { from }), ...(to !== undefined && { to }) })
    strikes.push(...month.map(strikeOf))
  }
  return strikes
}

function strikeOf({ signature, from, to, votes, clusters, runs }: Incident): Strike {
  return { signature, from, to, votes, clusters, runs: runs.map(({ bucket, path }) => ({ bucket, path })) }
}

/** What else struck with this incident, of signatures that strike together with its own. */
export async function companionsOf(ctx: Context, incident: Incident): Promise<readonly Companion[]> {
  const partners = partnersOf(await strikingTogether(ctx), incident.signature)
  if (partners.size === 0) return []
  const { signatures } = await ctx.catalogue()
  const reach = Math.max(LONGEST_RUN_MS, max(signatures, ({ maxSpanMs }) => maxSpanMs) ?? 0) + TOGETHER_MS
  const near = await ctx.store.incidents({ from: incident.from.earliest - reach, to: incident.to.latest + reach })
  return near
    .filter((one) => struckTogether(incident, one))
    .flatMap((one) => {
      const partner = partners.get(one.signature)
      const signature = signatures.find(({ id }) => id === one.signature)
      return partner && signature ? [companion(incident, one, signature, partner)] : []
    })
    .sort((a, b) => a.incident.at - b.incident.at || (a.signature.id < b.signature.id ? -1 : 1))
}

/** By the other signature's id. */
export function partnersOf(pairs: readonly Together[], signature: string): ReadonlyMap<string, Together> {
  return new Map(
    pairs.flatMap((pair) => {
      const [a, b] = pair.signatures
      return a === signature ? [[b, pair]] : b === signature ? [[a, pair]] : []
    }),
  )
}

/** `Struck together with A and B.`; nothing where it struck alone. */
export function togetherSentence(companions: readonly Companion[]): string[] {
  const titles = [...new Set(companions.map(({ signature }) => signature.title))]
  return titles.length === 0 ? [] : [`Struck together with ${titles.join(' and ')}.`]
}

/** `5 times, where chance alone would give 0.2` */
export function habitWords(habit: Pick<Together, 'times' | 'expected'>): string {
  const chance = habit.expected < 0.01 ? 'less than 0.01' : figure(habit.expected)
  return `${times(habit.times)}, where chance alone would give ${chance}`
}

function companion(
  own: Incident,
  { id, at, from, to, runs, clusters }: Incident,
  { id: signature, title }: Companion['signature'],
  habit: Together,
): Companion {
  const hit = new Set(own.runs.map(runText))
  return {
    signature: { id: signature, title },
    incident: { id, at, from, to, runs: runs.length },
    sharedRuns: runs.filter((run) => hit.has(runText(run))).length,
    sharedClusters: clusters.filter((cluster) => own.clusters.includes(cluster)),
    times: habit.times,
    expected: habit.expected,
  }
}
