import { ProwlError } from '../errors.ts'
import { LOG_KINDS } from '../model/run.ts'
import { parseQuery, type SearchQuery } from './query.ts'

/**
 * A request as scripts written for ci-search make it. Parameters, defaults and bounds:
 * https://github.com/openshift/ci-search (docs/ci-search.md says what differs).
 */
export interface PeerQuery {
  /** Its patterns are those of the request byte for byte, each once. */
  readonly query: SearchQuery
  /** Lines of a log that one pattern gives at most, 1–500. */
  readonly maxMatches: number
  /** Bytes of text that the answer holds at most, about. */
  readonly maxBytes: number
  /** `context=-1`: which runs match, without their lines. */
  readonly linksOnly: boolean
  /** Only bug trackers were asked for, which are not searched here. */
  readonly trackersOnly: boolean
}

/** What holds where a request names no other. */
export interface PeerDefaults {
  readonly type: string
  readonly context: number
  readonly name?: string
}

const SEARCH_DEFAULTS: PeerDefaults = { type: 'bug+issue+junit', context: 1 }
const MAX_AGE = '48h'
const MAX_MATCHES = { least: 0, most: 500 }
const DEFAULT_MATCHES = 1
const MIB = 2 ** 20
const MAX_BYTES = { least: 0, most: 100 * MIB }
const DEFAULT_BYTES = 20 * MIB
const TRACKERS = ['bug', 'issue']
const TYPES = ['all', ...TRACKERS, ...LOG_KINDS]
/** The service's own "(all)" links give the second. */
const TYPE_SPELLINGS = ['type', 'searchType']
/** What asks for the form of a page, and page by page for an answer. */
const FOR_PAGES = ['groupBy', 'groupByJob', 'wrap', 'wrapLines', 'mode', 'after', 'maxPerRun', 'format']

/** Unknown parameters are ignored. Throws QUERY_INVALID that names the parameter. */
export function parsePeerQuery(given: URLSearchParams, defaults: PeerDefaults = SEARCH_DEFAULTS): PeerQuery {
  if (!given.has('search')) throw invalid("The 'search' query parameter is required")
  const params = new URLSearchParams(given)
  for (const name of FOR_PAGES) params.delete(name)
  const { text: type, isTrackersOnly } = typeOf(given, defaults)
  params.delete('searchType')
  params.set('type', type)
  if (!given.get('context')?.trim()) params.set('context', String(defaults.context))
  if (defaults.name !== undefined && !given.has('name')) params.set('name', defaults.name)
  ageOf(params)
  const { query } = parseQuery(params, { strict: true })
  return {
    query: { ...query, patterns: [...new Set(query.patterns)], groupBy: 'none' },
    maxMatches: numberOf(given, 'maxMatches', MAX_MATCHES) || DEFAULT_MATCHES,
    maxBytes: numberOf(given, 'maxBytes', MAX_BYTES) || DEFAULT_BYTES,
    linksOnly: given.get('context')?.trim() === '-1',
    trackersOnly: isTrackersOnly,
  }
}

/** Words between whatever stands between them: `+` arrives as a space, and `bug%%2Bjunit` stands in many stored links. */
function typeOf(params: URLSearchParams, defaults: PeerDefaults) {
  const given = TYPE_SPELLINGS.map((name) => params.get(name)).find((value) => value?.trim())
  const words = (given ?? defaults.type)
    .toLowerCase()
    .split(/[^a-z-]+/)
    .filter(Boolean)
  if (words.length === 0 || words.some((word) => !TYPES.includes(word)))
    throw invalid(`type: search must be one of ${TYPES.join(', ')}, or several joined by +, not ${shown(given ?? '')}`)
  return { text: words.join('+'), isTrackersOnly: words.every((word) => TRACKERS.includes(word)) }
}

/** Nothing old is left out where the greatest age is zero, or none that a date could tell. */
function ageOf(params: URLSearchParams): void {
  const age = params.get('maxAge')?.trim()
  if (age !== undefined && /^0+(\.0*)?(ns|us|µs|ms|s|m|h|d|w)?$/.test(age)) {
    params.delete('maxAge')
    if (!params.get('from')?.trim()) params.set('from', '1970-01-01')
  } else if (!age) params.set('maxAge', MAX_AGE)
}

function numberOf(params: URLSearchParams, name: string, { least, most }: typeof MAX_BYTES): number {
  const text = params.get(name)?.trim() ?? ''
  if (text === '') return least
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalid(`${name} must be a number between ${least} and ${most}, not ${shown(text)}`)
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

function invalid(message: string): ProwlError {
  return new ProwlError('QUERY_INVALID', message)
}
