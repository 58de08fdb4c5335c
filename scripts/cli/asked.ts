import { readConfig } from '#lib/config.ts'
import { parseQuery, resolveRange, type SearchQuery } from '#lib/search/query.ts'
import { askKnown, type KnownAnswer } from '#lib/service/ask-known.ts'
import type { Pull } from '#lib/service/box.ts'
import { context } from '#lib/service/open.ts'
import { type PullView, pullView } from '#lib/service/pull.ts'
import { dataReach } from '#lib/service/reach.ts'
import { type SearchCounts, type StreamOptions, searchCounts, searchStream } from '#lib/service/search-stream.ts'
import type { DataReach, SearchHitView } from '#lib/service/views.ts'
import type { Catalogue } from '#lib/signature/catalogue.ts'
import { fromCaller } from './output.ts'
import { askServer } from './server.ts'

/** Where answers come from: the data on this machine, or a server. */
export interface Asked {
  /** Stands before addresses of pages. */
  readonly site: string
  known(text: string): Promise<KnownAnswer>
  pull(pull: Pull): Promise<PullView>
  catalogue(): Promise<Catalogue>
  counts(params: URLSearchParams, options: StreamOptions): Promise<SearchCounts>
  lines(params: URLSearchParams, options: StreamOptions): Promise<Lines>
  close(): Promise<void>
}

export interface Lines {
  readonly reach: DataReach
  /** All of them, newest first; in the end why lines may be missing. */
  readonly hits: AsyncGenerator<SearchHitView, readonly string[]>
}

/** Options of every command that asks. */
export interface AskedFlags {
  readonly data?: string
  readonly url?: string
}

/** Throws CONFIG_INVALID, and what opening a store throws. */
export async function openAsked({ data, url }: AskedFlags): Promise<Asked> {
  return url === undefined ? await askHere(data) : askServer(url)
}

async function askHere(data: string | undefined): Promise<Asked> {
  if (data !== undefined) process.env.PROWL_DATA = fromCaller(data)
  const { publicUrl, port } = readConfig()
  const ctx = await context()
  return {
    site: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    known: (text) => askKnown(ctx, text),
    pull: (pull) => pullView(ctx, pull),
    catalogue: () => ctx.catalogue(),
    counts: (params, options) => searchCounts(ctx, queryOf(params), options),
    async lines(params, options) {
      const query = queryOf(params)
      return { reach: await dataReach(ctx, resolveRange(query, ctx.now())), hits: searchStream(ctx, query, options) }
    },
    async close() {
      await ctx.searcher.close()
      await ctx.store.close()
    },
  }
}

export function queryOf(params: URLSearchParams): SearchQuery {
  return parseQuery(params, { strict: true }).query
}
