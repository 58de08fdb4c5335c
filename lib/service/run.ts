import { runLinks } from '../deployment/links.ts'
import { ProwlError } from '../errors.ts'
import type { Hit } from '../model/hit.ts'
import type { Log, Run, RunKey } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { StoredRun } from '../store/store.ts'
import type { Context } from './context.ts'
import { bytesOf, linesOf } from './log-text.ts'
import type { LogWindow, RunView } from './views.ts'

export interface RunAnchor {
  readonly log?: string | undefined
  /** 1-based; `to` makes it a range. */
  readonly line?: number | undefined
  readonly to?: number | undefined
}

const WINDOW_LINES = 200
const MOST_LINES = 1_000

/** A run with its hits and a window of one of its logs. Throws NOT_FOUND. */
export async function runView(ctx: Context, key: RunKey, anchor: RunAnchor = {}): Promise<RunView> {
  const [stored, { signatures }] = await Promise.all([ctx.store.run(key), ctx.catalogue()])
  if (!stored) {
    const run = `${key.bucket}/${key.path}`
    throw new ProwlError('NOT_FOUND', `no run ${run} here; the status page says up to when runs are read`)
  }
  const { run, logs, expired } = stored
  const named = new Map(signatures.map((signature) => [signature.id, signature]))
  const window = expired ? undefined : await windowOf(ctx, stored, anchor)
  return {
    run,
    logs,
    expired,
    links: runLinks(run),
    hits: wholeHits(stored.hits, named).map((hit) => {
      const signature = named.get(hit.signature)
      return { hit, run, links: runLinks(run, hit), ...(signature ? { signature } : {}) }
    }),
    ...(window ? { window } : {}),
  }
}

/** Without those of a part: its parent has the same line. */
function wholeHits(hits: readonly Hit[], named: ReadonlyMap<string, Signature>): Hit[] {
  const known = new Set(hits.map(({ signature }) => signature))
  return hits.filter(({ signature }) => !known.has(named.get(signature)?.part?.of ?? ''))
}

/** The run of a build id, the newest where several jobs count alike. */
export async function findRun(ctx: Context, buildId: string): Promise<Run | undefined> {
  if (!/^\d{1,20}$/.test(buildId)) return undefined
  const { items } = await ctx.store.runs({ buildId }, { limit: 1 })
  return items[0]
}

/** The bytes of a log as they were, in chunks. Throws NOT_FOUND where there is no such log, or no longer. */
export async function rawLog(
  ctx: Context,
  key: RunKey,
  name: string,
): Promise<{ readonly log: Log; readonly bytes: AsyncGenerator<Uint8Array> }> {
  const stored = await ctx.store.run(key)
  const log = stored?.logs.find((each) => each.name === name)
  if (!stored || stored.expired || !log) {
    throw new ProwlError('NOT_FOUND', `no text of ${name} of ${key.bucket}/${key.path} is kept here`)
  }
  return { log, bytes: bytesOf(ctx.store, key, log) }
}

async function windowOf(ctx: Context, stored: StoredRun, anchor: RunAnchor): Promise<LogWindow | undefined> {
  const log = logShown(stored, anchor.log)
  if (!log) return undefined
  const hitLines = [...new Set(stored.hits.filter((hit) => hit.log === log.name).map((hit) => hit.line))]
  hitLines.sort((a, b) => a - b)
  const { from, to } = rangeShown(log.lines, anchor, hitLines[0])
  return { log, from, to, lines: await linesOf(ctx.store, stored.run, log.name, from, to), hitLines }
}

function logShown({ logs, hits }: StoredRun, name: string | undefined): Log | undefined {
  const wanted = [name, hits[0]?.log, 'build-log.txt']
  for (const each of wanted) {
    const log = logs.find((known) => known.name === each)
    if (log) return log
  }
  return logs[0]
}

/** About 200 lines round the anchor, else the first hit, else the end; a longer range that was asked for is shown whole, up to 1,000. */
export function rangeShown(
  lines: number,
  { line, to }: RunAnchor,
  hit: number | undefined,
): { readonly from: number; readonly to: number } {
  const first = Math.min(line ?? hit ?? lines, lines)
  const last = Math.min(Math.max(to ?? first, first), first + MOST_LINES - 1, lines)
  const spare = Math.max(0, WINDOW_LINES - (last - first + 1))
  const start = Math.max(1, Math.min(first - Math.floor(spare / 2), lines - WINDOW_LINES + 1))
  return { from: Math.min(start, Math.max(1, first)), to: Math.min(lines, Math.max(last, start + WINDOW_LINES - 1)) }
}
