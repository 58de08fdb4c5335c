import { compareBytes } from '../store/order.ts'
import type { PeerAnswer, PeerMatch } from './peer.ts'

/** A match in ci-search's JSON; `lastModified` never was anything else. */
interface PeerJson {
  readonly name: string
  readonly lastModified: null
  readonly filename: string
  readonly context: readonly string[]
  readonly moreLines?: number
}

/** `/search`: run address → pattern → matches, keys sorted by bytes. `site`: where pages of this server are. */
export function byRun(
  { found }: PeerAnswer,
  site: string,
): Readonly<Record<string, Readonly<Record<string, readonly PeerJson[]>>>> {
  const runs = new Map<string, Map<string, PeerJson[]>>()
  for (const { pattern, matches } of found)
    for (const match of matches) {
      const url = addressOf(match, site)
      const patterns = runs.get(url) ?? new Map<string, PeerJson[]>()
      runs.set(url, patterns)
      patterns.set(pattern, [...(patterns.get(pattern) ?? []), jsonOf(match)])
    }
  return Object.fromEntries(sorted(runs).map(([url, patterns]) => [url, Object.fromEntries(sorted(patterns))]))
}

/** `/v2/search`: pattern → matches, each with its run's address. Patterns stand there byte for byte, those that nothing matches don't. */
export function byPattern({ found }: PeerAnswer, site: string) {
  const results = found
    .filter(({ matches }) => matches.length > 0)
    .map(({ pattern, matches }) => {
      const own = matches.map((match) => ({ ...jsonOf(match), url: addressOf(match, site) }))
      return [pattern, { matches: own }] as const
    })
  return { results: Object.fromEntries(results) }
}

/** One line a match, for grep: `job build log:line: text`. */
export function peerLines({ found }: PeerAnswer): string {
  return found
    .flatMap(({ matches }) => matches)
    .map(({ hit: { job, buildId, log, line, text } }) => `${job} ${buildId} ${log}:${line}: ${text}\n`)
    .join('')
}

function addressOf({ url }: PeerMatch, site: string): string {
  return url.startsWith('/') ? `${site}${url}` : url
}

function jsonOf({ hit, filename, context, moreLines }: PeerMatch): PeerJson {
  return { name: hit.job, lastModified: null, filename, context, ...(moreLines > 0 ? { moreLines } : {}) }
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareBytes(a, b))
}
