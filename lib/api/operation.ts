import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { Lack } from './schema/search.ts'
import { Time } from './schema/shape.ts'

/** What an answer may be besides JSON. */
export const FORMATS = {
  json: 'application/json',
  text: 'text/plain',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const
export type Format = keyof typeof FORMATS

/** One thing that the API does: the route reads its parameters with these schemas, and openapi.json tells them. */
export interface Operation<Q extends z.ZodObject = z.ZodObject, A extends z.ZodType = z.ZodType> {
  readonly id: string
  readonly method: 'get' | 'post'
  /** Names in braces; the last one may hold slashes, escaped or not. */
  readonly path: `/${string}`
  readonly summary: string
  /** What the names in braces are. */
  readonly names: Readonly<Record<string, z.ZodString>>
  readonly query: Q
  /** Headers of a request that change its answer. */
  readonly requestHeaders: Readonly<Record<string, z.ZodType>>
  /** Its handler reads the query by a codec of its own, which the schema is made of. */
  readonly readsQuery?: true
  /** By media type, of a POST. */
  readonly body?: Readonly<Record<string, z.ZodType>>
  readonly answer: A
  /** It holds counts: what they are worth (`Worth`) stands beside them. */
  readonly counts?: true
  /** The first unless the reader asks for another, by the parameter `format` or by Accept. */
  readonly formats: readonly [Format, ...Format[]]
  readonly statuses: readonly number[]
  readonly headers: Readonly<Record<string, z.ZodType>>
  /** Fields, at any depth, that each moment changes though the data is the same: an ETag passes over them. */
  readonly moving: readonly string[]
  /** Refusals of its own; `COMMON_ERRORS` come to all. */
  readonly errors: readonly ErrorCode[]
}

/** What counts are worth, in headers. */
export const WORTH = {
  'prowl-complete-to': z.string().meta({ description: 'All runs that started before are in' }),
  'prowl-partial': z.string().meta({ description: '`no`, or why runs may be missing from counts' }),
  'prowl-data': z.string().meta({ description: 'How far the data reaches, in words' }),
}

/** The same in the body of those that `count`. */
export const Worth = z.strictObject({
  completeTo: Time.exactOptional().meta({ description: 'All runs that started before are in' }),
  partial: z.array(Lack).meta({ description: 'Why runs may be missing from counts; empty: none are' }),
})

/** What stands in the body of an answer. */
export function bodyOf({ answer, counts }: Operation): z.ZodType {
  return counts && answer instanceof z.ZodObject ? answer.extend(Worth.shape) : answer
}

export const COMMON_ERRORS: readonly ErrorCode[] = [
  'QUERY_INVALID',
  'REQUEST_MALFORMED',
  'REQUEST_TOO_LARGE',
  'URL_TOO_LONG',
  'RATE_LIMITED',
  'STORE_UNREACHABLE',
  'UNEXPECTED',
]

type Given<Q extends z.ZodObject, A extends z.ZodType> = Pick<Operation<Q, A>, 'path' | 'summary' | 'answer'> &
  Partial<Operation<Q, A>>

/** A GET with JSON for an answer, unless it says otherwise. */
export function operation<A extends z.ZodType, Q extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  id: string,
  given: Given<Q, A>,
): Operation<Q, A> {
  const formats = given.formats ?? ['json']
  const query = given.query ?? (z.object({}) as unknown as Q)
  return {
    id,
    method: 'get',
    names: {},
    requestHeaders: {},
    headers: {},
    statuses: [200],
    moving: [],
    errors: [],
    ...given,
    formats,
    query: formats.length > 1 ? (query.extend({ format: formatOf(formats) }) as unknown as Q) : query,
  }
}

function formatOf(formats: readonly Format[]) {
  return z
    .enum(formats, { error: `must be ${formats.join(' or ')}` })
    .optional()
    .meta({ description: 'Of the answer; unless given, as Accept says' })
}
