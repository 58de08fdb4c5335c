import { answer, json, lineOf, runOf } from '#app/_api/answer.ts'
import { context } from '#lib/service/open.ts'
import { runView } from '#lib/service/run.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const key = runOf(request, '/api/v1/runs/')
    const log = new URL(request.url).searchParams.get('log') ?? undefined
    const anchor = { log, line: lineOf(request, 'line'), to: lineOf(request, 'to') }
    return json(await runView(await context(), key, anchor))
  })
}
