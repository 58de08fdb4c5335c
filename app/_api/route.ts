import Negotiator from 'negotiator'
import { z } from 'zod'
import { answer, csv, tagged, text } from '#app/_api/answer.ts'
import { worthHeaders, worthOf } from '#app/_api/counts.ts'
import { type Sheet, sheetCsv, sheetText } from '#app/_api/sheet.ts'
import { FORMATS, type Format, type Operation } from '#lib/api/operation.ts'
import { readParameters, readPath } from '#lib/api/parameters.ts'
import type { Frozen } from '#lib/api/schema/shape.ts'
import type { Context } from '#lib/service/context.ts'
import { context } from '#lib/service/open.ts'
import type { DataReach } from '#lib/service/views.ts'
import { jsonText } from '#lib/text/printable.ts'

const BASE = '/api/v1'

interface Asked<Q extends z.ZodObject> {
  readonly request: Request
  readonly ctx: Context
  /** What stands in the address where the operation's path has names. */
  readonly names: Readonly<Record<string, string>>
  readonly query: z.output<Q>
}

interface Told<A extends z.ZodType> {
  readonly view: Frozen<z.output<A>>
  readonly headers?: Readonly<Record<string, string>>
  /** What the counts of an operation that `counts` are worth: told beside the view, and in headers. */
  readonly reach?: DataReach
  /** For grep, and for spreadsheets. */
  readonly sheet?: () => Sheet
  /** Plain text other than the sheet's. */
  readonly text?: () => string
}

/** The handler of an operation: reads what its table says, answers in the form the reader wants, unless that is known already. */
export function route<Q extends z.ZodObject, A extends z.ZodType>(
  operation: Operation<Q, A>,
  handle: (asked: Asked<Q>) => Promise<Told<A>>,
): (request: Request) => Promise<Response> {
  return asked(operation, async (given) => {
    const format = formatOf(given.request, operation.formats)
    const { view, reach, text: lines, sheet, ...told } = await handle(given)
    const headers = { ...(reach && worthHeaders(reach)), ...told.headers }
    const whole = reach ? { ...view, ...worthOf(reach) } : view
    if (format === 'text' && (lines || sheet)) return text(lines ? lines() : sheetText(sheet?.()), headers)
    if (format === 'csv' && sheet) return csv(sheetCsv(sheet()), headers)
    const { moving } = operation
    const body = jsonText(whole)
    const sameness =
      moving.length > 0 ? jsonText(whole, (name, value) => (moving.includes(name) ? undefined : value)) : body
    const all = { 'content-type': FORMATS.json, 'cache-control': 'no-cache', ...headers }
    return tagged(given.request, body, all, sameness)
  })
}

/** The same for who makes the answer by itself. */
export function asked<Q extends z.ZodObject, A extends z.ZodType>(
  { path, query, readsQuery }: Operation<Q, A>,
  handle: (asked: Asked<Q>) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return (request) =>
    answer(request, async () => {
      const { pathname, searchParams } = new URL(request.url)
      return await handle({
        request,
        names: readPath(BASE + path, request.headers.get('prowl-rewritten') ?? pathname),
        query: readParameters(readsQuery ? formatAlone(query) : query, searchParams),
        ctx: await context(),
      })
    })
}

function formatAlone<Q extends z.ZodObject>({ shape }: Q): Q {
  return z.object(shape.format ? { format: shape.format } : {}) as unknown as Q
}

/** What the reader wants of them: by the parameter, else by Accept; JSON for who accepts anything, or nothing that there is. */
export function formatOf(request: Request, formats: readonly Format[]): Format {
  const named = new URL(request.url).searchParams.get('format')
  const accepted = new Negotiator({ headers: { accept: request.headers.get('accept') ?? '*/*' } })
  const type = accepted.mediaType(formats.map((format) => FORMATS[format]))
  return formats.find((format) => format === named) ?? formats.find((format) => FORMATS[format] === type) ?? 'json'
}
