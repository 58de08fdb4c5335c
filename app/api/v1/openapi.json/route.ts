import { tagged } from '#app/_api/answer.ts'
import { apiDocument } from '#lib/api/document.ts'
import prowl from '../../../../package.json' with { type: 'json' }

let document: string | undefined

/** The API, described by what reads and tests it. */
export function GET(request: Request): Response {
  document ??= JSON.stringify(apiDocument(prowl.version), null, 1)
  return tagged(request, document, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' })
}
