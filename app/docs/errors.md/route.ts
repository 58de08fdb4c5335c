import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the `type` of each problem leads: the paragraph that explains its code. */
export async function GET(): Promise<Response> {
  return new Response(await readFile(join(process.cwd(), 'docs/errors.md')), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
