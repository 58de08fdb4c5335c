import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { putIngestState } from '#lib/service/passes.ts'
import { statusView } from '#lib/service/status.ts'
import { createReferenceStore } from '#lib/store/reference.ts'
import { makeContext } from '#lib/testing/context.ts'
import { metricsText, routeOf } from './metrics.ts'

test.each([
  ['/?search=x', '/'],
  ['/runs/gs/b/logs/x/1?line=2', '/runs'],
  ['/api/v1/signatures/boskos.heartbeat/figures', '/api/v1/signatures'],
  ['/api/v1/no-such', 'other'],
  ['/wp-admin/x.php', 'other'],
  ['/_next/static/x.js', '/_next'],
])('of %s the label is %s', (url, label) => {
  expect(routeOf(url)).toBe(label)
})

test('a store that can’t be asked is told, and the process’s own counts are there', async () => {
  const text = await metricsText(undefined, 0)
  expect(text).toContain('prowl_store_up 0\n')
  expect(text).toMatch(/^prowl_build_info\{version="[\d.]+",node="v\d+/m)
  expect(text).toContain('# TYPE prowl_answers_lacking_total counter')
})

test('the metrics that docs/operations.md says to look at are there', async () => {
  const store = createReferenceStore()
  await putIngestState(store, { bucket: 'gs://ci', passStartedAt: 0, done: 0, total: 0 })
  const text = await metricsText(await statusView(makeContext(store, [], 1)), 1)
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split(
    /^## What to look at when…$|^## Can the data/m,
  )
  const named = new Set(section.match(/`(prowl|process)_[a-z_]+`/g)?.map((name) => name.slice(1, -1)))
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
})
