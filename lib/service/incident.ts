import { extent, group } from 'd3-array'
import { runLinks } from '../deployment/links.ts'
import { ProwlError } from '../errors.ts'
import { lastStrike } from '../incident/last-strike.ts'
import { countOutcomes, outcomesLine, outcomeWord } from '../incident/outcomes.ts'
import { allPages, runsOfHits, runText } from '../incident/runs.ts'
import type { Hit } from '../model/hit.ts'
import type { IncidentRun } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { Store } from '../store/store.ts'
import type { Context } from './context.ts'
import { findSignature } from './signature.ts'
import { companionsOf } from './together.ts'
import type { IncidentView } from './views.ts'

const MAX_LANES = 200

/** What one outage did to which runs: a lane each, those that ended first on top. Throws NOT_FOUND. */
export async function incidentView(ctx: Context, id: string): Promise<IncidentView> {
  const [incident] = await ctx.store.incidents({ id })
  if (!incident) throw new ProwlError('NOT_FOUND', `no incident is named ${id}: it may not have been read here`)
  const signature = findSignature(await ctx.catalogue(), incident.signature)
  const drawn = [...incident.runs].sort((a, b) => a.time - b.time).slice(0, MAX_LANES)
  const [runs, tracks, hits, together] = await Promise.all([
    runsOfHits(ctx.store, drawn),
    // A part's tracks are its parent's.
    ctx.store.tracks(
      signature.part?.of ?? signature.id,
      drawn.map(({ bucket, path }) => ({ bucket, path })),
    ),
    hitsOf(ctx.store, signature, drawn),
    companionsOf(ctx, incident),
  ])
  const tracksByRun = group(tracks, runText)
  const hitsByRun = group(hits, runText)
  return {
    signature,
    incident: { ...incident, to: lastStrike(incident, tracks, signature) },
    lanes: drawn.flatMap((drawnRun) => {
      const key = runText(drawnRun)
      const run = runs.get(key)
      const own = hitsByRun.get(key) ?? []
      if (!run) return []
      const { outcome } = drawnRun
      const end = outcomeWord(drawnRun)
      return [{ run, tracks: tracksByRun.get(key) ?? [], hits: own, links: linksOf(run, own), outcome, end }]
    }),
    moreRuns: incident.runs.length - drawn.length,
    outcomes: countOutcomes(incident.runs),
    outcomeWords: outcomesLine(incident.runs),
    together,
  }
}

/** The signature's hits in these runs, in the order in which they struck. */
async function hitsOf(store: Store, signature: Signature, runs: readonly IncidentRun[]): Promise<Hit[]> {
  const wanted = new Set(runs.map(runText))
  const [from, to] = extent(runs, (run) => run.time)
  if (from === undefined) return []
  const filter = { signature: signature.id, from, to: to + 1, jobs: [...new Set(runs.map((run) => run.job))] }
  const hits: Hit[] = []
  for await (const hit of allPages((page) => store.hits(filter, page), 1000))
    if (wanted.has(runText(hit))) hits.push(hit)
  return hits.sort((a, b) => middle(a) - middle(b) || a.line - b.line)
}

/** To the run's first hit, where the reader wants to look. */
function linksOf(run: Parameters<typeof runLinks>[0], [first]: readonly Hit[]): ReturnType<typeof runLinks> {
  return first ? runLinks(run, { log: first.log, line: first.line }) : runLinks(run)
}

function middle({ placed }: Hit): number {
  return placed.earliest + placed.latest
}
