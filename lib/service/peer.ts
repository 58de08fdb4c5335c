import pLimit from 'p-limit'
import { runLinks } from '../deployment/links.ts'
import type { Searcher, SearchHit } from '../search/engine.ts'
import type { PeerQuery } from '../search/peer-query.ts'
import { resolveRange, type SearchQuery } from '../search/query.ts'
import type { Lacking } from '../search/tally.ts'
import type { Context } from './context.ts'
import { dataReach } from './reach.ts'
import { createRecent, type Recent } from './recent.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import type { DataReach } from './views.ts'

/** With less left no search is begun. */
const SPENT_MS = 1

/** One matching line as ci-search tells it. */
export interface PeerMatch {
  /** Where the deployment shows the run, else its page here (an address without host). */
  readonly url: string
  readonly hit: SearchHit
  /** `build-log`, `junit`, or the path of another log below its run. */
  readonly filename: string
  /** The hit among its neighbours. */
  readonly context: readonly string[]
  /** Further matching lines of this file, on the last that is given. */
  readonly moreLines: number
}

export interface PeerAnswer {
  /** In the order asked; newest first within a pattern. */
  readonly found: readonly { readonly pattern: string; readonly matches: readonly PeerMatch[] }[]
  /** Why matches may be missing; empty when none is. */
  readonly partial: readonly Lacking[]
  readonly reach: DataReach
}

/** A poll every few seconds by many CI jobs costs one search. What is partial may be whole the next time. */
export function recentPeers(now: () => number): Recent<PeerAnswer> {
  const sizeOf = ({ found, partial }: PeerAnswer) =>
    partial.length > 0
      ? Number.POSITIVE_INFINITY
      : found.flatMap(({ matches }) => matches).reduce((sum, match) => sum + sizeOfMatch(match), 0)
  return createRecent({ name: 'peer', now, sizeOf, ...SEARCH_LIMITS.peerRecent })
}

/** As `peerSearch`; where the context keeps answers, one of the last seconds may be given again. Throws SEARCH_BUSY, too. */
export async function recentPeerSearch(ctx: Context, peer: PeerQuery, signal?: AbortSignal): Promise<PeerAnswer> {
  if (!ctx.peers) return await peerSearch(ctx, peer, signal)
  return await ctx.peers.get(JSON.stringify(peer), (left) => peerSearch(ctx, peer, left), signal)
}

/**
 * All matches of each pattern, each file giving so many. Patterns are searched by themselves, since each has its own share
 * of a file; they share time and bytes. Throws REGEX_*, SEARCH_DEADLINE and the signal's reason.
 */
export async function peerSearch(ctx: Context, peer: PeerQuery, signal?: AbortSignal): Promise<PeerAnswer> {
  const range = resolveRange(peer.query, ctx.now())
  const reach = await dataReach(ctx, range)
  const query = { ...peer.query, range }
  await checkPatterns(ctx, query, signal)
  const budget = createBudget(peer)
  const partial = new Set<Lacking>()
  const limit = pLimit(SEARCH_LIMITS.peer.abreast)
  const patterns = peer.trackersOnly ? [] : query.patterns
  const found = await Promise.all(
    patterns.map((pattern) =>
      limit(async () => {
        const matches: PeerMatch[] = []
        const share = budget.next()
        for await (const match of matchesOf(ctx, { ...query, patterns: [pattern] }, peer, { share, partial, signal })) {
          if (budget.isFull(match)) {
            partial.add('limit')
            break
          }
          matches.push(match)
        }
        budget.done()
        return { pattern, matches: limitFiles(matches, peer.maxMatches) }
      }),
    ),
  )
  return { found, partial: [...partial], reach }
}

/** A search through no time at all: it reads nothing, and says which of several patterns is at fault. */
async function checkPatterns({ searcher, now }: Context, query: SearchQuery, signal?: AbortSignal): Promise<void> {
  const { lines, ms } = SEARCH_LIMITS.peer
  const none = { ...query, range: { from: 0, to: 0 } }
  const limits = { maxHits: lines, maxHitsPerLog: 1, deadlineMs: ms, now: now(), ...(signal ? { signal } : {}) }
  await searcher.search(none, limits)
}

interface Share {
  /** Milliseconds left to the pattern, and decoded bytes of log left to all. */
  readonly ms: () => number
  readonly bytesLeft: () => number
  readonly read: (bytes: number) => void
  readonly isSpent: () => boolean
}

/** What the patterns of a request share: a slow one leaves the others their part of the time. */
function createBudget({ query, maxBytes }: PeerQuery) {
  const { ms, bytes, abreast } = SEARCH_LIMITS.peer
  const end = performance.now() + ms
  let left = query.patterns.length
  let [text, log] = [maxBytes, bytes]
  return {
    next(): Share {
      const own = performance.now() + (end - performance.now()) * Math.min(1, abreast / left)
      return {
        isSpent: () => own - performance.now() <= SPENT_MS || log <= 0,
        ms: () => Math.max(SPENT_MS, own - performance.now()),
        bytesLeft: () => Math.max(1, log),
        read: (size) => {
          log -= size
        },
      }
    },
    done() {
      left--
    },
    isFull(match: PeerMatch): boolean {
      text -= sizeOfMatch(match)
      return text < 0
    },
  }
}

/** About the bytes that it takes in an answer. */
function sizeOfMatch({ url, hit, context }: PeerMatch): number {
  return context.reduce((sum, line) => sum + line.length, 100 + url.length + hit.job.length)
}

interface Going {
  readonly share: Share
  readonly partial: Set<Lacking>
  readonly signal: AbortSignal | undefined
}

async function* matchesOf(
  ctx: Context,
  query: SearchQuery,
  { maxMatches, linksOnly }: PeerQuery,
  { share, partial, signal }: Going,
): AsyncGenerator<PeerMatch> {
  let after: Awaited<ReturnType<Searcher['search']>>['next']
  do {
    const answer = await ctx.searcher.search(query, {
      maxHits: SEARCH_LIMITS.peer.lines,
      maxHitsPerLog: maxMatches,
      deadlineMs: share.ms(),
      maxBytes: share.bytesLeft(),
      now: ctx.now(),
      ...(after ? { after } : {}),
      ...(signal ? { signal } : {}),
    })
    share.read(answer.searched.bytes)
    for (const reason of answer.partial) if (reason !== 'limit') partial.add(reason)
    for (const hit of answer.hits) yield matchOf(hit, linksOnly)
    after = answer.next
  } while (after && !share.isSpent())
  if (after) partial.add(share.ms() > SPENT_MS ? 'bytes' : 'deadline')
}

/** JUnit files of a run are one file to ci-search: what the later ones have beyond its share is told as more lines. */
function limitFiles(matches: readonly PeerMatch[], most: number): PeerMatch[] {
  const files = Map.groupBy(matches, ({ url, filename }) => JSON.stringify([url, filename]))
  const last = new Map([...files.values()].flatMap((own) => (own.length > most ? [[own[most - 1], own] as const] : [])))
  const beyond = new Set([...files.values()].flatMap((own) => own.slice(most)))
  return matches
    .filter((match) => !beyond.has(match))
    .map((match) => {
      const cut = last.get(match)?.slice(most) ?? []
      return { ...match, moreLines: cut.reduce((sum, { moreLines }) => sum + 1 + moreLines, match.moreLines) }
    })
}

function matchOf(hit: SearchHit, linksOnly: boolean): PeerMatch {
  const { spyglass, prowl } = runLinks(hit)
  return {
    url: spyglass ?? prowl,
    hit,
    filename: fileOf(hit.log),
    context: linksOnly ? [] : [...hit.before, hit.text, ...hit.after],
    moreLines: hit.more,
  }
}

/** As ingest tells kinds of logs by their names. */
function fileOf(log: string): string {
  if (log === 'build-log.txt') return 'build-log'
  return log.endsWith('.xml') ? 'junit' : log
}
