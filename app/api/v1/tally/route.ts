import { answer, json, text, wantsText } from '#app/_api/answer.ts'
import { ProwlError } from '#lib/errors.ts'
import { parseQuery } from '#lib/search/query.ts'
import { context } from '#lib/service/open.ts'
import { type TallyView, tallyView } from '#lib/service/tally.ts'

const TOP = 100
const MOST = 10_000

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const params = new URL(request.url).searchParams
    // By line, as `grep -o | sort | uniq -c`, unless said otherwise.
    if (!params.get('tally')) params.set('tally', 'line')
    const { query } = parseQuery(params, { strict: true })
    const view = await tallyView(await context(), query, { top: topOf(params.get('top')), signal: request.signal })
    const headers = {
      ...(view.partial.length > 0 ? { 'prowl-cut': view.partial.join('; ') } : {}),
      'prowl-data': [view.reach.words, ...view.reach.warnings].join('; '),
    }
    return wantsText(request) ? text(tallyLines(view), headers) : json(view, headers)
  })
}

function topOf(given: string | null): number {
  if (given === null || given === '') return TOP
  if (/^[1-9]\d{0,4}$/.test(given) && Number(given) <= MOST) return Number(given)
  throw new ProwlError('QUERY_INVALID', `top: must be a number from 1 to ${MOST}`)
}

/** As `uniq -c` prints them. */
function tallyLines({ values, by }: TallyView): string {
  return values.map((each) => `${String(by === 'run' ? each.runs : each.lines).padStart(7)} ${each.value}\n`).join('')
}
