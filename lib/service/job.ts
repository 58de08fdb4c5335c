import { extent, group, sum } from 'd3-array'
import { runLinks } from '../deployment/links.ts'
import { allPages, runText } from '../incident/runs.ts'
import type { Hit } from '../model/hit.ts'
import type { Run } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { OrderKey } from '../store/store.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import type { RunLinks } from './views.ts'

const RUNS = 100
const DAY = 86_400_000
const RECENT_DAYS = 14

export interface JobView {
  readonly job: string
  /** Of the last 14 UTC days; failed: failure or error. */
  readonly recent: { readonly days: number; readonly runs: number; readonly failed: number }
  /** Newest first. */
  readonly runs: readonly {
    readonly run: Run
    readonly links: RunLinks
    /** Known failures found in it, each at its first hit. */
    readonly known: readonly { readonly signature: Signature; readonly link: string }[]
  }[]
  readonly next?: OrderKey
}

/** Recent runs of a job, and what is known of them; undefined where no run of it was read. */
export async function jobView(ctx: Context, job: string, after?: OrderKey): Promise<JobView | undefined> {
  const { store } = ctx
  const today = Math.floor(ctx.now() / DAY) * DAY
  const [page, rollups, { signatures }] = await Promise.all([
    store.runs({ jobs: [job] }, { limit: RUNS, ...(after && { after }) }),
    store.rollups({ jobs: [job], from: today - (RECENT_DAYS - 1) * DAY }),
    ctx.catalogue(),
  ])
  if (page.items.length === 0 && !after) return undefined
  const hits = await hitsOf(ctx, job, page.items)
  const named = new Map(signatures.map((signature) => [signature.id, signature]))
  const all = rollups.filter(({ kind }) => kind === 'any')
  return {
    job,
    recent: {
      days: RECENT_DAYS,
      runs: sum(all, ({ runs }) => runs),
      failed: sum(all, ({ result, runs }) => (isFailed(result) ? runs : 0)),
    },
    runs: page.items.map((run) => ({
      run,
      links: runLinks(run),
      known: [...group(hits.get(runText(run)) ?? [], (hit) => hit.signature)].flatMap(([id, [hit]]) => {
        const signature = named.get(id)
        return signature && hit ? [{ signature, link: runLinks(run, hit).prowl }] : []
      }),
    })),
    ...(page.next && { next: page.next }),
  }
}

async function hitsOf({ store }: Context, job: string, runs: readonly Run[]): Promise<Map<string, Hit[]>> {
  const [from, to] = extent(runs, (run) => run.time)
  const hits: Hit[] = []
  if (from === undefined) return new Map()
  for await (const hit of allPages((page) => store.hits({ jobs: [job], from, to: to + 1 }, page), 1000)) hits.push(hit)
  return group(hits, runText)
}
