import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { ERROR_CODES, type ErrorCode } from '../errors.ts'
import { bodyOf, COMMON_ERRORS, FORMATS, type Operation, WORTH } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { PROBLEM_TYPE, Problem } from './problem.ts'

const BASE = '/api/v1'
const ETag = z.string().meta({ description: 'Sent back as If-None-Match, it gives 304 while the answer is the same' })

/** The API in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1), made of what its routes read and are tested with. */
export function apiDocument(version: string): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const each of Object.values<Operation>(OPERATIONS))
    paths[each.path] = { ...paths[each.path], [each.method]: operationOf(each) }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'prowl',
      version,
      summary: 'Where else did this fail, how often does it strike, did the fix hold',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: BASE }],
    paths,
  })
}

function operationOf(operation: Operation): ZodOpenApiOperationObject {
  const { id, summary, names, query, body } = operation
  return {
    operationId: id,
    summary,
    requestParams: { path: z.object(names), query },
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: { ...answersOf(operation), ...problemsOf(operation) },
  }
}

function answersOf(operation: Operation) {
  const { method, formats, statuses, headers, counts } = operation
  const body = Object.fromEntries(
    formats.map((format) => [FORMATS[format], format === 'json' ? bodyOf(operation) : z.string()]),
  )
  const all = { ...(counts && WORTH), ...headers, ...(method === 'get' && formats.includes('json') && { etag: ETag }) }
  const sent = Object.keys(all).length > 0 ? { headers: z.object(all).partial() } : {}
  const responses = statuses.map((status) => [status, { description: 'The answer', content: contentOf(body), ...sent }])
  const unchanged = { description: 'What the reader has is the answer still', ...sent }
  return Object.fromEntries('etag' in all ? [...responses, [304, unchanged]] : responses)
}

function problemsOf({ errors }: Operation) {
  const byStatus = Map.groupBy([...COMMON_ERRORS, ...errors], (code: ErrorCode) => ERROR_CODES[code])
  const retry = z.object({ 'retry-after': z.string().meta({ description: 'Seconds' }) }).partial()
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: [...new Set(codes)].join(', '),
        content: contentOf({ [PROBLEM_TYPE]: Problem }),
        ...(codes.includes('RATE_LIMITED') && { headers: retry }),
      },
    ]),
  )
}

function contentOf(bodies: Readonly<Record<string, z.ZodType>>) {
  return Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }]))
}
