import { z } from 'zod'
import { ProwlError } from '../errors.ts'
import { COVERAGE_DAYS, MOST_DAYS } from '../service/coverage.ts'

/** A whole number that an address holds. */
function whole(min: number, max: number, must: string) {
  return z
    .codec(z.string(), z.number(), {
      decode: (text, ctx) => {
        const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
        if (number >= min && number <= max) return number
        ctx.issues.push({ code: 'custom', input: text, message: `must be ${must}` })
        return z.NEVER
      },
      encode: String,
    })
    .meta({ override: { type: 'integer', minimum: min, maximum: max } })
}

const LineNumber = whole(1, 9_999_999_999, 'a line number, 1 or more')
export const Days = whole(1, MOST_DAYS, `a number from 1 to ${MOST_DAYS}`)
  .default(COVERAGE_DAYS)
  .meta({ description: 'UTC days, up to today’s so far' })
export const TallyTop = whole(1, 10_000, 'a number from 1 to 10000')
  .default(100)
  .meta({ description: 'Values told at most' })
export const LogName = z.string().meta({ description: 'A log of the run, e.g. build-log.txt' })

export const WindowQuery = z.object({
  log: LogName.optional(),
  line: LineNumber.optional().meta({ description: 'The line that the window lies round' }),
  to: LineNumber.optional().meta({ description: 'The end of a range of lines' }),
})

/**
 * Parameters as a schema has them; empty ones are absent, unknown ones ignored, of several the first counts. Throws
 * QUERY_INVALID that names the parameter.
 */
export function readParameters<S extends z.ZodObject>(schema: S, params: URLSearchParams): z.output<S> {
  const given = Object.keys(schema.shape).flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []))
  const parsed = schema.safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ProwlError('QUERY_INVALID', `${issue?.path.join('.')}: ${issue?.message}`)
}

/**
 * What an address holds where its template has names in braces; the last name takes the rest. Throws QUERY_INVALID where
 * it does not have the form.
 */
export function readPath(template: string, pathname: string): Readonly<Record<string, string>> {
  const wanted = template.split('/')
  const given = pathname.split('/')
  const values: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) continue
    const rest = at === wanted.length - 1 ? given.slice(at) : given.slice(at, at + 1)
    const text = rest.map(unescaped).join('/')
    if (text === '') throw new ProwlError('QUERY_INVALID', `the address lacks its ${name}; its form is ${template}`)
    values[name] = text
  }
  return values
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    throw new ProwlError('QUERY_INVALID', `${segment} in the address is not escaped as UTF-8 is`, { cause })
  }
}
