import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Exposure } from '../model/hit.ts'
import { LOG_KINDS, RUN_RESULTS } from '../model/run.ts'
import { formatQuery } from '../search/query.ts'
import { apiDocument } from './document.ts'
import { OPERATIONS } from './operations.ts'
import { readPath } from './parameters.ts'
import { shape, Time } from './schema/shape.ts'

const { paths = {} } = apiDocument('1.2.3')

test('each operation is told once, under an id of its own, with what it answers and refuses', () => {
  const told = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, { operationId, responses }]) => {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '500', '503']))
      return `${operationId} ${method} ${path}`
    }),
  )
  expect(told.sort()).toEqual(
    Object.values(OPERATIONS)
      .map(({ id, method, path }) => `${id} ${method} ${path}`)
      .sort(),
  )
})

test('each name in an address is a parameter of it', () => {
  for (const { path, names } of Object.values(OPERATIONS))
    expect(Object.keys(names)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
})

test('all that links of searches hold is told', () => {
  const filters = { job: 'a', excludeJob: 'b', results: RUN_RESULTS, kinds: LOG_KINDS }
  const query = { patterns: ['x'], ...filters, context: 0, groupBy: 'run' as const, maxPerRun: 1 }
  const key = { time: 1, bucket: 'gs://b', path: 'p' }
  const links = [
    formatQuery({ ...query, range: { from: 1, to: 2 } }, key),
    formatQuery({ ...query, range: { lastMs: 1 } }),
  ]
  const told = paths['/search']?.get?.parameters?.map((each) => ('name' in each ? each.name : ''))
  expect(told).toEqual(expect.arrayContaining(links.flatMap((link) => [...link.keys()])))
})

test.each([
  ['/runs/{scheme}/{bucket}/{path}', '/runs/gs/b/logs/x%20y/1', { scheme: 'gs', bucket: 'b', path: 'logs/x y/1' }],
  ['/runs/{scheme}/{bucket}/{path}', '/runs/gs/b/logs%2Fx%2F1', { scheme: 'gs', bucket: 'b', path: 'logs/x/1' }],
  ['/signatures/{id}/figures', '/signatures/a.b/figures', { id: 'a.b' }],
])('%s reads %s', (template, path, names) => {
  expect(readPath(template, path)).toEqual(names)
})

test.each(['/runs/gs', '/runs/gs/b/', '/runs/gs/b/%ff'])('%s is no address of a run', (path) => {
  expect(() => readPath('/runs/{scheme}/{bucket}/{path}', path)).toThrow(
    expect.objectContaining({ code: 'QUERY_INVALID' }),
  )
})

test('a type that says more than its schema, or less, does not compile', () => {
  const given = { signature: z.string(), from: Time }
  // @ts-expect-error: a field is missing
  shape<Exposure>()(given)
  // @ts-expect-error: a field is another
  shape<Exposure>()({ ...given, to: z.string() })
  // @ts-expect-error: a field is one too many
  shape<Exposure>()({ ...given, to: Time, more: Time })
  // @ts-expect-error: the type knows more values
  shape<{ readonly a: 'x' | 'y' }>()({ a: z.literal('x') })
  expect(shape<Exposure>()({ ...given, to: Time }).safeParse({ signature: '', from: 1, to: 2, more: 3 }).success).toBe(
    false,
  )
})
