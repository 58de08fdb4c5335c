import { createHash } from 'node:crypto'
import { runLinks } from '../deployment/links.ts'
import { isProwlError, ProwlError } from '../errors.ts'
import type { Hit } from '../model/hit.ts'
import type { Log, Run, RunKey } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { StoredRun } from '../store/store.ts'
import type { ByteRange } from './byte-range.ts'
import type { Context } from './context.ts'
import { bytesOf, linesOf } from './log-text.ts'
import { findIn } from './run-find.ts'
import type { FindView, LogWindow, RunView, SearchView } from './views.ts'

export interface RunAnchor {
  readonly log?: string | undefined
  /** 1-based; `to` makes it a range. */
  readonly line?: number | undefined
  readonly to?: number | undefined
  /** RE2: its matches in the run's logs are counted and marked; without a line the first of them is shown. */
  readonly find?: string | undefined
  /** How long may be counted. */
  readonly findMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const WINDOW_LINES = 200
const MOST_LINES = 1_000

/** The run without the pattern that it can't be searched for, and what is wrong with that. Throws as runView otherwise. */
export async function runPage(
  ctx: Context,
  key: RunKey,
  anchor: RunAnchor,
): Promise<{ readonly view: RunView; readonly error?: NonNullable<SearchView['error']> }> {
  try {
    return { view: await runView(ctx, key, anchor) }
  } catch (error) {
    if (!isProwlError(error) || !(error.code.startsWith('REGEX_') || error.code === 'SEARCH_DEADLINE')) throw error
    const { code, message, position, pattern } = error
    return {
      view: await runView(ctx, key, { ...anchor, find: undefined }),
      error: { code, message, position, pattern },
    }
  }
}

/** A run with its hits and a window of one of its logs. Throws NOT_FOUND, and what a search throws. */
export async function runView(ctx: Context, key: RunKey, anchor: RunAnchor = {}): Promise<RunView> {
  const [stored, { signatures }] = await Promise.all([ctx.store.run(key), ctx.catalogue()])
  if (!stored) {
    const run = `${key.bucket}/${key.path}`
    throw new ProwlError('NOT_FOUND', `no run ${run} here; the status page says up to when runs are read`)
  }
  const { run, logs, expired } = stored
  const named = new Map(signatures.map((signature) => [signature.id, signature]))
  const shown = expired ? undefined : await windowOf(ctx, stored, anchor)
  return {
    run,
    logs,
    expired,
    links: runLinks(run),
    hits: wholeHits(stored.hits, named).map((hit) => {
      const signature = named.get(hit.signature)
      return { hit, run, links: runLinks(run, hit), ...(signature ? { signature } : {}) }
    }),
    ...shown,
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

interface RawLog {
  readonly run: Run
  readonly log: Log
  /** The same as long as the bytes are. */
  readonly tag: string
  /** In chunks: all, or some of a log that was not cut. */
  bytes(range?: ByteRange): AsyncGenerator<Uint8Array>
}

/** A log's bytes as they were. Throws NOT_FOUND where there is no such log, or no longer. */
export async function rawLog(ctx: Context, key: RunKey, name: string): Promise<RawLog> {
  const stored = await ctx.store.run(key)
  const log = stored?.logs.find((each) => each.name === name)
  if (!stored || stored.expired || !log) {
    throw new ProwlError('NOT_FOUND', `no text of ${name} of ${key.bucket}/${key.path} is kept here`)
  }
  const tag = createHash('sha256')
    .update(JSON.stringify([stored.fingerprint, log]))
    .digest('base64url')
    .slice(0, 22)
  return { run: stored.run, log, tag, bytes: (range) => bytesOf(ctx.store, key, log, range) }
}

async function windowOf(
  ctx: Context,
  stored: StoredRun,
  anchor: RunAnchor,
): Promise<{ readonly window: LogWindow; readonly find?: FindView } | undefined> {
  const usual = logShown(stored, anchor.log)
  if (!usual) return undefined
  const near = { log: usual.name, line: anchor.line ?? 1 }
  const found =
    anchor.find === undefined ? undefined : await findIn(ctx, stored.run, { ...anchor, find: anchor.find, near })
  // A log that nobody named gives way to one that has what is looked for.
  const other = anchor.log === undefined && anchor.line === undefined && !found?.has(usual.name)
  const log = (other && stored.logs.find(({ name }) => found?.has(name))) || usual
  const hitLines = [...new Set(stored.hits.filter((hit) => hit.log === log.name).map((hit) => hit.line))]
  hitLines.sort((a, b) => a - b)
  const first = anchor.line ?? (await found?.first(log.name))
  const { from, to } = rangeShown(log.lines, { ...anchor, line: first }, hitLines[0])
  const [lines, find] = await Promise.all([
    linesOf(ctx.store, stored.run, log.name, from, to),
    found?.view(log.name, from, to),
  ])
  return { window: { log, from, to, lines, hitLines }, ...(find ? { find } : {}) }
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
