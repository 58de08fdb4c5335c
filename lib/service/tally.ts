import { isProwlError, ProwlError } from '../errors.ts'
import { formatQuery, type SearchQuery } from '../search/query.ts'
import type { TallyAnswer } from '../search/run-tally.ts'
import type { ValueCount } from '../search/value-counts.ts'
import type { Context } from './context.ts'
import { dataReach } from './reach.ts'
import { SEARCH_LIMITS } from './search-limits.ts'
import { type Spread, spreadOf } from './spread.ts'
import type { DataReach, SearchView } from './views.ts'

/** What a capture group caught, the most frequent first. */
export interface TallyView {
  readonly query: SearchQuery
  readonly range: { readonly from: number; readonly to: number }
  readonly by: 'line' | 'run'
  readonly values: readonly ValueCount[]
  /** Values beyond those, and their lines; `untold`: among them lines whose values were too many to be told apart. */
  readonly others: { readonly values: number; readonly lines: number; readonly untold: number }
  /** Lines and runs with a value: what shares are of. A run may hold several values. */
  readonly lines: number
  readonly runs: number
  /** Where all values are numbers, or durations. */
  readonly spread?: Spread
  readonly countedFrom?: number
  readonly searched: TallyAnswer['searched']
  readonly partial: TallyAnswer['partial']
  readonly reach: DataReach
  /** Parameters of this tally with an absolute range. */
  readonly permanent: string
}

export interface TallyViewOptions {
  /** Values given. */
  readonly top: number
  readonly signal?: AbortSignal | undefined
}

/** Throws REGEX_*, QUERY_INVALID and SEARCH_DEADLINE. */
export async function tallyView(
  ctx: Context,
  query: SearchQuery,
  { top, signal }: TallyViewOptions,
): Promise<TallyView> {
  if (query.patterns.length === 0) throw new ProwlError('QUERY_INVALID', 'search: a pattern is needed')
  const { ms: deadlineMs, bytes: maxBytes } = SEARCH_LIMITS.page
  const limits = { deadlineMs, maxBytes, now: ctx.now(), ...(signal ? { signal } : {}) }
  const [reach, answer] = await Promise.all([dataReach(ctx), ctx.searcher.tally(query, limits)])
  const { values, lines, runs, untold, from, to, countedFrom, searched, partial } = answer
  const rest = values.slice(top)
  const spread = untold === 0 ? spreadOf(values) : undefined
  return {
    query,
    range: { from, to },
    by: query.tally?.by ?? 'line',
    values: values.slice(0, top),
    others: { values: rest.length, lines: rest.reduce((sum, each) => sum + each.lines, 0) + untold, untold },
    ...{ lines, runs, searched, partial, reach },
    ...(spread ? { spread } : {}),
    ...(countedFrom === undefined ? {} : { countedFrom }),
    permanent: formatQuery({ ...query, range: { from, to } }).toString(),
  }
}

export type TallyPage =
  | { readonly view: TallyView; readonly error?: undefined }
  | { readonly error: NonNullable<SearchView['error']> }

/** The same for a page: what is wrong with the query is part of the answer. */
export async function tallyPage(ctx: Context, query: SearchQuery, options: TallyViewOptions): Promise<TallyPage> {
  try {
    return { view: await tallyView(ctx, query, options) }
  } catch (error) {
    if (!isProwlError(error) || (error.status !== 400 && error.code !== 'SEARCH_DEADLINE')) throw error
    const { code, message, position, pattern } = error
    return { error: { code, message, position, pattern } }
  }
}
