import { readConfig } from '#lib/config.ts'
import { parseQuery, resolveRange, type SearchQuery } from '#lib/search/query.ts'
import { askKnown, type KnownAnswer } from '#lib/service/ask-known.ts'
import type { Pull } from '#lib/service/box.ts'
import type { Context } from '#lib/service/context.ts'
import { context } from '#lib/service/open.ts'
import { type PullView, pullView } from '#lib/service/pull.ts'
import { dataReach } from '#lib/service/reach.ts'
import { type SearchCounts, type StreamOptions, searchCounts, searchStream } from '#lib/service/search-stream.ts'
import { type TallyView, tallyView } from '#lib/service/tally.ts'
import type { DataReach, SearchHitView } from '#lib/service/views.ts'
import { type Catalogue, loadCatalogue } from '#lib/signature/catalogue.ts'
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
  /** At most `top` values. */
  tally(params: URLSearchParams, top: number, options: Pick<StreamOptions, 'signal'>): Promise<TallyView>
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

/** Throws CONFIG_INVALID; what is asked of a store that can't be opened throws that. */
export function openAsked({ data, url }: AskedFlags): Asked {
  return url === undefined ? askHere(data) : askServer(url)
}

function askHere(data: string | undefined): Asked {
  if (data !== undefined) process.env.PROWL_DATA = fromCaller(data)
  const { publicUrl, port, signatureDirs } = readConfig()
  // A log file needs no store, and where a CI job asks about one there is none.
  let opened: Promise<Context> | undefined
  const open = () => {
    opened ??= context()
    return opened
  }
  return {
    site: (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    known: async (text) => await askKnown(await open(), text),
    pull: async (pull) => await pullView(await open(), pull),
    catalogue: () => loadCatalogue(signatureDirs),
    counts: async (params, options) => await searchCounts(await open(), queryOf(params), options),
    async lines(params, options) {
      const [ctx, query] = [await open(), queryOf(params)]
      return { reach: await dataReach(ctx, resolveRange(query, ctx.now())), hits: searchStream(ctx, query, options) }
    },
    tally: async (params, top, { signal }) => await tallyView(await open(), queryOf(params), { top, signal }),
    async close() {
      const ctx = await opened?.catch(() => undefined)
      await ctx?.searcher.close()
      await ctx?.store.close()
    },
  }
}

export function queryOf(params: URLSearchParams): SearchQuery {
  return parseQuery(params, { strict: true }).query
}
