import { answer, runOf, text } from '#app/_api/answer.ts'
import { context } from '#lib/service/open.ts'
import { rawLog } from '#lib/service/run.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const key = runOf(request, '/api/v1/raw/')
    const name = new URL(request.url).searchParams.get('log') ?? 'build-log.txt'
    const { log, bytes } = await rawLog(await context(), key, name)
    const truncated = log.truncatedFrom === undefined ? {} : { 'prowl-truncated-from': String(log.truncatedFrom) }
    return text(bytes, { 'content-security-policy': "default-src 'none'; sandbox", ...truncated })
  })
}
