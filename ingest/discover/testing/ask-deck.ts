import type { RequestListener } from 'node:http'
import { snowflakeAt } from '#lib/model/build-id.ts'
import type { RetryPolicy } from '../../source/retry.ts'
import { type DeckOptions, deckDiscovery } from '../deck.ts'
import { jobFilter, type Scope } from '../discovery.ts'
import { deckServer } from './deck-server.ts'
import { type MemoryObject, memorySource } from './memory-source.ts'

export const NOW = Date.UTC(2026, 4, 1)
export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const RETRIES: RetryPolicy = { retries: 2, delayMs: 1, maxDelayMs: 5 }
export const SCOPE: Scope = {
  jobs: jobFilter(undefined, undefined),
  from: NOW - 14 * DAY,
  knownTimes: async () => new Map(),
}

export function idOf(hoursAgo: number): string {
  return snowflakeAt(NOW - hoursAgo * HOUR)
}

export const ID = idOf(5)

/** Runs that have begun. */
export function bucketOf(...paths: readonly string[]): Map<string, MemoryObject> {
  return new Map(paths.flatMap((path) => ['started.json', 'x/y'].map((name) => [`${path}/${name}`, { text: '{}' }])))
}

export function itemsOf(...jobs: readonly unknown[]): string {
  return JSON.stringify({ items: jobs })
}

export function sends(body: string | Buffer, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => void response.writeHead(200, headers).end(body)
}

/** Asks a Deck that answers so. */
export async function askDeckOf(
  answers: readonly RequestListener[],
  options: Partial<DeckOptions> & { scope?: Partial<Scope> } = {},
) {
  const server = await deckServer(...answers)
  const { scope, source = memorySource(bucketOf(`logs/job/${ID}`)), ...others } = options
  const deck = deckDiscovery({ deck: server.address, source, retries: RETRIES, now: () => NOW, ...others })
  const asked = deck.find({ ...SCOPE, ...scope })
  return { server, asked, deck, source }
}
