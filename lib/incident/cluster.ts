import { ascending, bisector, least } from 'd3-array'
import type { Hit } from '../model/hit.ts'

export interface ClusterRule {
  /** Hits join within this many ms. */
  readonly windowMs: number
  /** What an incident may span, in ms. */
  readonly maxSpanMs: number
}

/** Hits of one outage, and the bounds of its first and last moment (epoch ms). */
export interface Cluster {
  readonly hits: readonly Hit[]
  readonly from: { readonly earliest: number; readonly latest: number }
  readonly to: { readonly earliest: number; readonly latest: number }
}

/**
 * Gathers one signature's hits into outages; the answer does not depend on their order. The rule (docs/statistics.md):
 *
 * 1. Hits known within the window are taken by `earliest`. One joins the cluster before it when the ranges are no
 *    further apart than the window and the whole spans no more than `maxSpanMs`; else it opens the next.
 * 2. A hit known less well says only "somewhere in here" and must not glue outages together: it joins the one cluster
 *    compatible with it that is nearest to its middle (one holding its own run first), and moves no bounds.
 * 3. Those compatible with none are explained by as few moments as will do: each shares one with all of its cluster.
 */
export function clusterHits(hits: readonly Hit[], rule: ClusterRule): Cluster[] {
  const sorted = [...hits].sort(byPlace)
  const wide = (hit: Hit) => hit.placed.latest - hit.placed.earliest > rule.windowMs
  const known = gatherKnown(
    sorted.filter((hit) => !wide(hit)),
    rule,
  )
  const homeless = joinNearest(known, sorted.filter(wide), rule)
  return [...known, ...gatherWide(homeless, rule.windowMs)]
    .map((draft) => ({ ...draft, hits: draft.hits.sort(byPlace) }))
    .sort((a, b) => ascending(a.from.earliest, b.from.earliest) || ascending(a.from.latest, b.from.latest))
}

interface Draft {
  hits: Hit[]
  from: { earliest: number; latest: number }
  to: { earliest: number; latest: number }
}

function gatherKnown(hits: readonly Hit[], rule: ClusterRule): Draft[] {
  const drafts: Draft[] = []
  for (const hit of hits) {
    const { earliest, latest } = hit.placed
    const last = drafts.at(-1)
    if (
      last &&
      earliest - last.to.latest <= rule.windowMs &&
      Math.max(latest, last.to.latest) - last.from.earliest <= rule.maxSpanMs
    ) {
      last.hits.push(hit)
      last.from.latest = Math.min(last.from.latest, latest)
      last.to.earliest = Math.max(last.to.earliest, earliest)
      last.to.latest = Math.max(last.to.latest, latest)
    } else drafts.push({ hits: [hit], from: { earliest, latest }, to: { earliest, latest } })
  }
  return drafts
}

/** Puts each hit into its nearest compatible draft; answers those that have none. */
function joinNearest(drafts: readonly Draft[], hits: readonly Hit[], rule: ClusterRule): Hit[] {
  const runsOf = new Map(drafts.map((draft) => [draft, new Set(draft.hits.map(runKey))]))
  // Runs are noted before any hit moves in, so that one wide hit never decides for another.
  return hits.filter((hit) => {
    const middle = (hit.placed.earliest + hit.placed.latest) / 2
    const away = (draft: Draft) => Math.max(0, draft.from.earliest - middle, middle - draft.to.latest)
    const foreign = (draft: Draft) => (runsOf.get(draft)?.has(runKey(hit)) ? 0 : 1)
    const home = least(
      compatible(drafts, hit, rule),
      (x, y) => foreign(x) - foreign(y) || away(x) - away(y) || x.from.earliest - y.from.earliest,
    )
    home?.hits.push(hit)
    return !home
  })
}

/** The drafts (by `from.earliest`) no further from the hit's range than the window. */
function compatible(drafts: readonly Draft[], hit: Hit, rule: ClusterRule): Draft[] {
  const { earliest, latest } = hit.placed
  const longest = Math.max(rule.maxSpanMs, rule.windowMs)
  const start = byStart.left(drafts, earliest - rule.windowMs - longest)
  const end = byStart.right(drafts, latest + rule.windowMs)
  return drafts.slice(start, end).filter((draft) => earliest - draft.to.latest <= rule.windowMs)
}

const byStart = bisector((draft: Draft) => draft.from.earliest)

function runKey(hit: Hit): string {
  return `${hit.bucket}/${hit.path}`
}

/** Fewest moments that stab every range: taken by their end, each opens a moment or falls to the one before it. */
function gatherWide(hits: readonly Hit[], windowMs: number): Draft[] {
  const drafts: Draft[] = []
  for (const hit of [...hits].sort((a, b) => ascending(a.placed.latest, b.placed.latest) || byPlace(a, b))) {
    const { earliest, latest } = hit.placed
    const last = drafts.at(-1)
    if (last && earliest <= last.from.latest + windowMs) {
      last.hits.push(hit)
      last.from.earliest = Math.min(last.from.latest, Math.max(last.from.earliest, earliest))
      last.to = { ...last.from }
    } else drafts.push({ hits: [hit], from: { earliest, latest }, to: { earliest, latest } })
  }
  return drafts
}

function byPlace(a: Hit, b: Hit): number {
  return (
    ascending(a.placed.earliest, b.placed.earliest) ||
    ascending(a.placed.latest, b.placed.latest) ||
    ascending(a.bucket, b.bucket) ||
    ascending(a.path, b.path) ||
    ascending(a.log, b.log) ||
    a.line - b.line ||
    ascending(a.resource, b.resource) ||
    ascending(a.cause, b.cause)
  )
}
