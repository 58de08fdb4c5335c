import { z } from 'zod'
import { ProwlError } from '../errors.ts'
import { LOG_KINDS, type LogKind, RUN_RESULTS, type RunResult } from '../model/run.ts'
import type { OrderKey } from '../store/store.ts'
import { formatDuration, parseDuration } from './duration.ts'
import { MAX_TIME, parseInstant } from './instant.ts'
import { MEETS, type Meet } from './meet.ts'

/** A search as pages, API, links and the command line state it. Times are epoch ms. */
export interface SearchQuery {
  /** RE2, at least one; smart case. Empty only where a page was opened without any. */
  readonly patterns: readonly string[]
  /** Which runs of several patterns; `any` where absent. */
  readonly meet?: Exclude<Meet, 'any'>
  /** RE2: lines that any of them matches are left out, whatever else matches them. */
  readonly excludes?: readonly string[]
  /** RE2 over job names. */
  readonly job?: string
  readonly excludeJob?: string
  /** Absolute range (from inclusive, to exclusive), or the last `lastMs` before now; `byDefault` where none was named. */
  readonly range:
    | { readonly from: number; readonly to: number }
    | { readonly lastMs: number; readonly byDefault?: true }
  readonly results?: readonly RunResult[]
  readonly kinds?: readonly LogKind[]
  /** Lines before and after each hit, 0–15. */
  readonly context: number
  readonly groupBy: 'job' | 'run' | 'none'
  /** Lines of a run that are given at most, 1–200; absent: not limited. Counts know no such limit. */
  readonly maxPerRun?: number
  /** Not lines but what a capture group caught, by the lines or the runs that hold it; `group`: a name or number, else the first. */
  readonly tally?: { readonly by: 'line' | 'run'; readonly group?: string }
}

export interface ParsedQuery {
  readonly query: SearchQuery
  /** Where the page before this one ended. */
  readonly after?: OrderKey
  /** What was left aside, in words for the page; empty in strict mode. */
  readonly notes: readonly string[]
}

/** The range of a search that names none: 14 days. */
const DEFAULT_RANGE_MS = 14 * 86_400_000
const BY_DEFAULT = { lastMs: DEFAULT_RANGE_MS, byDefault: true } as const
const MAX_CONTEXT = 15
const MAX_PATTERNS = 50
/** As many as a page holds, so that a page holds whole runs. */
export const MAX_PER_RUN = 200

const Duration = z.codec(z.string(), z.number(), {
  decode: (text, ctx) => parseDuration(text) ?? refuse(ctx, text, 'a duration such as 336h, 90m or 7d'),
  encode: formatDuration,
})
const Instant = z.codec(z.string(), z.number(), {
  decode: (text, ctx) =>
    parseInstant(text) ?? refuse(ctx, text, 'a UTC time such as 2026-11-03 or 2026-11-03T02:14:00Z'),
  encode: (ms) => new Date(ms).toISOString().replace('.000Z', 'Z'),
})
/** A day as an end includes that day. */
const End = z.codec(z.string(), z.number(), {
  decode: (text, ctx) =>
    parseInstant(text, 86_400_000) ?? refuse(ctx, text, 'a UTC time such as 2026-11-03 or 2026-11-03T02:14:00Z'),
  encode: (ms) => new Date(ms).toISOString().replace('.000Z', 'Z'),
})
/** −1, which asks ci-search for links only, is 0 here. */
const ContextLines = z.codec(z.string(), z.number(), {
  decode: (text, ctx) =>
    /^-1$|^\d{1,2}$/.test(text) && Number(text) <= MAX_CONTEXT
      ? Math.max(0, Number(text))
      : refuse(ctx, text, `a number from 0 to ${MAX_CONTEXT}`),
  encode: String,
})
const PerRun = z.codec(z.string(), z.number(), {
  decode: (text, ctx) =>
    /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_PER_RUN
      ? Number(text)
      : refuse(ctx, text, `a number from 1 to ${MAX_PER_RUN}`),
  encode: String,
})
const Meeting = z.enum(MEETS)
const TallyBy = z.enum(['line', 'run'])
const Group = z.string().regex(/^\w{1,64}$/, 'must be the name or number of a group')
const Grouping = z.enum(['job', 'run', 'none'])
const Kinds = z.codec(z.string(), z.array(z.enum(LOG_KINDS)), {
  decode: (text, ctx) => kindsOf(text) ?? refuse(ctx, text, `all, or some of ${LOG_KINDS.join(', ')}`),
  encode: (kinds) => kinds.join(','),
})
const Results = z.codec(z.string(), z.array(z.enum(RUN_RESULTS)), {
  decode: (text, ctx) => resultsOf(text) ?? refuse(ctx, text, `any, or some of ${RUN_RESULTS.join(', ')}`),
  encode: (results) => results.join(','),
})
const Key = z.tuple([z.number(), z.string(), z.string(), z.string().nullable(), z.number().nullable()])
const Cursor = z.codec(z.string(), z.custom<OrderKey>(), {
  decode: (text, ctx) => cursorOf(text) ?? refuse(ctx, text, 'a cursor that an earlier answer gave as next'),
  encode: formatCursor,
})

/** What `parseQuery` takes, in the spelling that links are written in. */
export const SearchParameters = z.object({
  search: z
    .array(z.string())
    .min(1)
    .max(MAX_PATTERNS)
    .meta({ description: 'RE2, smart case; a line matches that any matches' }),
  meet: z
    .enum(MEETS)
    .optional()
    .meta({ description: 'Runs that hold a line of any, of all, or of the first and no other pattern' }),
  exclude: z
    .array(z.string())
    .max(MAX_PATTERNS)
    .optional()
    .meta({ description: 'RE2: lines that any of them matches are left out' }),
  name: z.string().optional().meta({ description: 'RE2 that the job’s name must match' }),
  excludeName: z.string().optional().meta({ description: 'RE2 that the job’s name must not match' }),
  maxAge: Duration.optional().meta({ description: 'The last so long: 336h, 90m, 7d; 14 days unless given' }),
  from: Instant.optional().meta({ description: 'UTC: 2026-11-03 or 2026-11-03T02:14:00Z' }),
  to: End.optional().meta({ description: 'The same; a day is included' }),
  result: Results.optional().meta({ description: `any, or some of ${RUN_RESULTS.join(', ')}` }),
  type: Kinds.optional().meta({ description: `all, or some of ${LOG_KINDS.join(', ')}` }),
  context: ContextLines.optional().meta({ override: { type: 'integer', minimum: -1, maximum: MAX_CONTEXT } }),
  groupBy: Grouping.optional(),
  maxPerRun: PerRun.optional().meta({ override: { type: 'integer', minimum: 1, maximum: MAX_PER_RUN } }),
  after: Cursor.optional().meta({ description: 'Where the page before ended, as its `next` says' }),
})

/**
 * Reads the parameters of a search (docs/api.md). `strict`: throws QUERY_INVALID that names the parameter. Otherwise a
 * bad value falls back to the default, and `notes` says so. Unknown parameters are ignored.
 */
export function parseQuery(params: URLSearchParams, { strict = false } = {}): ParsedQuery {
  const notes: string[] = []
  const complain = (message: string) => {
    if (strict) throw new ProwlError('QUERY_INVALID', message)
    notes.push(message)
  }
  const take = <T>(names: readonly string[], codec: z.ZodType<T, string>): T | undefined => {
    const name = names.find((each) => params.get(each)?.trim())
    const text = name === undefined ? undefined : params.getAll(name).join(',').trim()
    if (name === undefined || text === undefined) return undefined
    const parsed = codec.safeParse(text)
    if (!parsed.success) complain(`${name}: ${parsed.error.issues[0]?.message ?? 'not valid'}`)
    return parsed.data
  }
  const patterns = patternsOf(params, complain)
  const meet = take(['meet'], Meeting)
  const excludes = excludesOf(params, complain)
  const job = params.get('name')
  const excludeJob = params.get('excludeName')
  const results = take(['result'], Results)
  const kinds = take(['type', 'searchType'], Kinds)
  const after = take(['after'], Cursor)
  const maxPerRun = take(['maxPerRun'], PerRun)
  const by = take(['tally'], TallyBy)
  const group = take(['group'], Group)
  const query: SearchQuery = {
    patterns,
    ...(meet && meet !== 'any' ? { meet } : {}),
    ...(excludes.length > 0 ? { excludes } : {}),
    ...(job ? { job } : {}),
    ...(excludeJob ? { excludeJob } : {}),
    range: rangeOf(take(['from'], Instant), take(['to'], End), take(['maxAge'], Duration), complain),
    ...(results?.length ? { results } : {}),
    ...(kinds?.length ? { kinds } : {}),
    context: take(['context'], ContextLines) ?? 1,
    groupBy: take(['groupBy', 'groupByJob'], Grouping) ?? 'job',
    ...(maxPerRun ? { maxPerRun } : {}),
    ...(by ? { tally: { by, ...(group ? { group } : {}) } } : {}),
  }
  return { query, ...(after ? { after } : {}), notes }
}

/** The canonical parameters of a query, defaults left out: `parseQuery` reads the same query from them. */
export function formatQuery(query: SearchQuery, after?: OrderKey): URLSearchParams {
  const params = new URLSearchParams()
  for (const pattern of query.patterns) params.append('search', pattern)
  if (query.meet) params.set('meet', query.meet)
  for (const pattern of query.excludes ?? []) params.append('exclude', pattern)
  if (query.job) params.set('name', query.job)
  if (query.excludeJob) params.set('excludeName', query.excludeJob)
  if ('lastMs' in query.range) {
    if (!query.range.byDefault) params.set('maxAge', Duration.encode(query.range.lastMs))
  } else {
    params.set('from', Instant.encode(query.range.from))
    if (query.range.to < MAX_TIME) params.set('to', End.encode(query.range.to))
  }
  if (query.results?.length) params.set('result', Results.encode([...query.results]))
  if (query.kinds?.length) params.set('type', Kinds.encode([...query.kinds]))
  if (query.context !== 1) params.set('context', ContextLines.encode(query.context))
  if (query.groupBy !== 'job') params.set('groupBy', query.groupBy)
  if (query.maxPerRun) params.set('maxPerRun', PerRun.encode(query.maxPerRun))
  if (query.tally) params.set('tally', query.tally.by)
  if (query.tally?.group) params.set('group', query.tally.group)
  if (after) params.set('after', formatCursor(after))
  return params
}

/** The instants a query covers. Epoch ms, `to` exclusive; a relative range ends just after `now`. */
export function resolveRange(query: SearchQuery, now: number): { readonly from: number; readonly to: number } {
  return 'lastMs' in query.range ? { from: now - query.range.lastMs, to: now + 1 } : query.range
}

function formatCursor(key: OrderKey): string {
  const fields = [key.time, key.bucket, key.path, key.log ?? null, key.line ?? null]
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

function cursorOf(text: string): OrderKey | undefined {
  try {
    const [time, bucket, path, log, line] = Key.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { time, bucket, path, ...(log === null ? {} : { log }), ...(line === null ? {} : { line }) }
  } catch {
    return undefined
  }
}

/** Patterns byte for byte. An empty one beside others is an empty field of the form; alone it matches every line. */
function patternsOf(params: URLSearchParams, complain: (message: string) => void): string[] {
  const given = params.getAll('search')
  if (given.length === 0) complain('search: a pattern is needed')
  const filled = given.filter((pattern) => pattern !== '')
  const patterns = filled.length > 0 ? filled : given.slice(0, 1)
  if (patterns.length > MAX_PATTERNS) complain(`search: at most ${MAX_PATTERNS} patterns at once`)
  return patterns.slice(0, MAX_PATTERNS)
}

function excludesOf(params: URLSearchParams, complain: (message: string) => void): string[] {
  const excludes = params.getAll('exclude').filter((pattern) => pattern !== '')
  if (excludes.length > MAX_PATTERNS) complain(`exclude: at most ${MAX_PATTERNS} patterns at once`)
  return excludes.slice(0, MAX_PATTERNS)
}

function rangeOf(
  from: number | undefined,
  to: number | undefined,
  lastMs: number | undefined,
  complain: (message: string) => void,
): SearchQuery['range'] {
  const last = lastMs === undefined ? BY_DEFAULT : { lastMs }
  if (from === undefined && to === undefined) return last
  const range = { from: from ?? 0, to: to ?? MAX_TIME }
  if (range.from < range.to) return range
  complain('to: must be later than from')
  return last
}

/** ci-search's names of trackers are taken and left aside; `bug%%2Bjunit` stands in many stored links. */
function kindsOf(text: string): LogKind[] | undefined {
  const words = text.split(/[^a-z-]+/).filter((word) => word !== '' && word !== 'bug' && word !== 'issue')
  if (words.includes('all')) return []
  return words.every((word) => isOneOf(LOG_KINDS, word)) ? LOG_KINDS.filter((kind) => words.includes(kind)) : undefined
}

function resultsOf(text: string): RunResult[] | undefined {
  const words = text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
  if (words.includes('any')) return []
  return words.every((word) => isOneOf(RUN_RESULTS, word))
    ? RUN_RESULTS.filter((result) => words.includes(result))
    : undefined
}

function isOneOf<T extends string>(all: readonly T[], word: string): word is T {
  return all.some((each) => each === word)
}

function refuse(ctx: { issues: unknown[] }, input: string, expected: string): never {
  ctx.issues.push({ code: 'custom', input, message: `must be ${expected}` })
  return z.NEVER
}
