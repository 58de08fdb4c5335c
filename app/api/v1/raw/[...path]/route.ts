import { answer, runOf, text } from '#app/_api/answer.ts'
import { ProwlError } from '#lib/errors.ts'
import { context } from '#lib/service/open.ts'
import { rawLog } from '#lib/service/run.ts'

export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const key = runOf(request, '/api/v1/raw/')
    const name = new URL(request.url).searchParams.get('log') ?? 'build-log.txt'
    const raw = await rawLog(await context(), key, name)
    if (!raw) throw new ProwlError('NOT_FOUND', `no text of ${name} of ${key.bucket}/${key.path} is kept here`)
    const headers: Record<string, string> = { 'content-security-policy': "default-src 'none'; sandbox" }
    if (raw.log.truncatedFrom !== undefined) headers['prowl-truncated-from'] = String(raw.log.truncatedFrom)
    return text(raw.bytes, headers)
  })
}
