import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { refreshIncidents } from '../incident/refresh.ts'
import type { Run } from '../model/run.ts'
import { createSearcher, type Searcher } from '../search/engine.ts'
import { createMatcher } from '../signature/run-matcher.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, HOUR, makeRun, makeSignature } from '../testing/values.ts'
import { groupOf } from '../triage/fold.ts'
import type { Context } from './context.ts'
import { coverageView, parseDays } from './coverage.ts'
import { groupsView, groupView } from './groups.ts'
import { createMemo } from './memo.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const known = makeSignature({
  id: 'quota',
  title: 'Quota',
  kind: 'per-run',
  regexes: ['VcpuLimitExceeded'],
  blames: 'infra',
})
const CATALOGUE = { signatures: [known], problems: [] }

let ctx: Context
let searcher: Searcher

/** A run that ended `daysAgo` days before now and says `line`. */
async function put(n: number, daysAgo: number, line: string, given: Partial<Run> = {}): Promise<void> {
  const failed = (given.result ?? 'failure') === 'failure'
  const run = makeRun({
    path: `logs/e2e-${n % 2}/${n}`,
    startedAt: NOW - daysAgo * DAY - HOUR,
    ...(failed && { failure: { log: 'build-log.txt', line: 2, text: line, group: groupOf(line) } }),
    ...given,
  })
  const text = Buffer.from(`hello\n${line}\n`)
  const matching = createMatcher(CATALOGUE).startRun(run)
  const log = matching.startLog({ name: 'build-log.txt', kind: 'build-log' })
  log.block({ firstLine: 1, lineCount: 2, bytes: text, ascii: true })
  log.end()
  await storeRun(ctx.store, run, { 'build-log.txt': text }, matching.finish({ complete: true }).hits)
}

const upgrade = (n: number) => `FAIL: the upgrade to 4.${n} was not acknowledged`

beforeAll(async () => {
  const store = createReferenceStore()
  searcher = createSearcher({ store, threads: 2 })
  ctx = { ...makeContext(store, [known], NOW), searcher, catalogue: async () => CATALOGUE }
  for (let n = 0; n < 6; n++) await put(n, n, 'Error: VcpuLimitExceeded in us-east-1')
  for (let n = 10; n < 14; n++) await put(n, n - 8, upgrade(n))
  await put(20, 40, upgrade(20))
  await put(21, 1, 'FAIL: never seen before this week')
  await put(22, 1, 'it passed all the same: the upgrade to 4.7 was not acknowledged', { result: 'success' })
  await put(23, 1, `${upgrade(1)}`, { result: 'success' })
  await put(24, 1, 'cut short', { result: 'aborted' })
  await put(25, 1, 'nothing that names a reason', { failure: undefined } as never)
  await refreshIncidents(store, CATALOGUE)
})
afterAll(() => searcher.close())

describe('coverage', () => {
  test('counts failed runs that died of a known failure, whatever else ended apart', async () => {
    const view = await coverageView(ctx)
    expect(view).toMatchObject({ failed: 12, died: 6, apart: { aborted: 1, lost: 0 }, blames: { infra: 6 } })
    expect(view.window.days).toBe(14)
    expect(view.days).toHaveLength(14)
    expect(view.days.at(-1)).toEqual({ day: '2026-11-20', failed: 1, died: 1 })
    expect(view.signatures).toMatchObject([
      { signature: 'quota', title: 'Quota', onlyThis: 6, share: { part: 6, whole: 12 } },
    ])
  })

  test('of fewer days counts those alone', async () => {
    expect(await coverageView(ctx, 1)).toMatchObject({ failed: 1, died: 1 })
    expect(await coverageView(ctx, 90)).toMatchObject({ failed: 13, died: 6 })
  })

  test.each(['0', '91', '-1', '1.5', 'x', '1e1'])('days: %s is refused', (text) => {
    expect(() => parseDays(text)).toThrow(expect.objectContaining({ code: 'QUERY_INVALID' }))
  })
})

describe('unexplained failures', () => {
  test('come in groups, with what is new and what names no reason', async () => {
    const view = await groupsView(ctx)
    expect(view).toMatchObject({ unknown: 6, unnamed: 1, count: 2 })
    const [first, second] = view.groups
    expect(first).toMatchObject({ id: groupOf(upgrade(1)), runs: 4, firstSeen: '2026-10-11', isNew: false })
    expect(first?.example).toMatchObject({ run: { buildId: '10' }, failure: { text: upgrade(10), line: 2 } })
    expect(first?.example.links.prowl).toContain('line=2#L2')
    expect(first?.days.filter((runs) => runs > 0)).toHaveLength(4)
    expect(second).toMatchObject({ runs: 1, firstSeen: '2026-11-19', isNew: true })
  })

  test('have a page each, with the signature that would know them and what it would explain', async () => {
    const view = await groupView(ctx, groupOf(upgrade(1)), { deadlineMs: 60_000 })
    expect(view).toMatchObject({ unknown: 6, group: { runs: 4 }, firstSeen: '2026-10-11' })
    expect(view.examples.map(({ run }) => run.buildId)).toEqual(['10', '11', '12', '13', '20'])
    expect(view.proposal?.regex).toBe(String.raw`FAIL: the upgrade to \d[\d.,]* was not acknowledged`)
    expect(view.proposal?.preview).toEqual({ explains: 4, passing: 1, others: 0 })
  })

  test('tell in a list what a signature would explain, once it was looked for', async () => {
    const kept = { ...ctx, memo: createMemo(() => NOW) }
    expect((await groupsView(kept)).groups[0]).not.toHaveProperty('preview')
    const groups = () => groupsView(kept).then(({ groups: all }) => all)
    await vi.waitFor(async () => expect((await groups())[0]).toHaveProperty('preview'), { timeout: 60_000 })
    expect((await groups())[0]?.preview).toEqual({ explains: 4, passing: 1, others: 0 })
  })

  test('a group that is none is not found', async () => {
    await expect(groupView(ctx, 'ffffffffffff')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
