import { expect, test } from 'vitest'
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
