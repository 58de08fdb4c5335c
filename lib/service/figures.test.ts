import { beforeAll, describe, expect, test } from 'vitest'
import { refreshIncidents } from '../incident/refresh.ts'
import type { Run } from '../model/run.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, HOUR, makeHit, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import type { Context } from './context.ts'
import { figuresView } from './figures.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const quota = makeSignature({ id: 'quota', kind: 'per-run', replaces: ['old.quota'] })
const part = makeSignature({ id: 'quota.part', part: { of: 'quota', causes: [] } })
const other = makeSignature({ id: 'other', title: 'Other', kind: 'per-run' })
const beats = makeSignature({ id: 'beats', witness: 'heartbeat sent' })
const CATALOGUE = { signatures: [quota, part, other, beats], problems: [] }

let ctx: Context

async function put(
  n: number,
  daysAgo: number,
  signatures: readonly string[],
  given: Partial<Run> = {},
  exposed = ['quota', 'beats'],
) {
  const at = NOW - daysAgo * DAY
  const run = makeRun({
    path: `logs/e2e-aws/${n}`,
    startedAt: at - HOUR,
    finishedAt: at,
    cluster: `build0${n % 2}`,
    ...given,
  })
  await publishRun(
    ctx.store,
    run,
    signatures.map((signature) => makeHit({ at: at - HOUR / 2, signature })),
    exposed,
  )
}

beforeAll(async () => {
  ctx = makeContext(createReferenceStore(), CATALOGUE.signatures, NOW)
  for (let n = 0; n < 6; n++) await put(n, n * 3, ['quota', 'quota.part', ...(n < 2 ? ['other'] : [])])
  for (let n = 10; n < 40; n++) await put(n, n, [], { result: 'success' }, n < 15 ? ['quota'] : ['quota', 'beats'])
  // Its jobs still run, and write no heartbeat any more.
  for (let n = 50; n < 80; n++) await put(n, (n - 49) / 4, [], { result: 'success' }, ['quota'])
  await put(90, 120, ['quota'])
  const refs = { org: 'o', repo: 'r', baseRef: 'main', pulls: [{ number: 7 }] }
  await put(91, 1, ['quota'], { path: 'pr-logs/pull/o_r/7/e2e-gcp/91', type: 'presubmit', refs, result: 'success' })
  await refreshIncidents(ctx.store, CATALOGUE)
})

describe('figures of a signature', () => {
  test('compare failed with passing runs of the last 90 days', async () => {
    const { scorecard, window } = await figuresView(ctx, 'old.quota')
    expect(window.days).toBe(90)
    expect(scorecard).toMatchObject({ failed: { part: 6, whole: 6 }, passed: { part: 1, whole: 61 }, warnings: [] })
    expect(scorecard.outcomes).toEqual({ died: 6, later: 0, passed: 1, other: 0 })
    expect(scorecard.last).toBeGreaterThan(NOW - DAY)
  })

  test('tell runs shared with others, but not with its own parts', async () => {
    expect((await figuresView(ctx, 'quota')).scorecard.overlaps).toEqual([
      { signature: 'other', title: 'Other', runs: 2, of: 7 },
    ])
    expect((await figuresView(ctx, 'quota.part')).scorecard.overlaps).toMatchObject([{ signature: 'other' }])
  })

  test('break runs hit down, of those that could have shown it', async () => {
    const rows = Object.fromEntries(
      (await figuresView(ctx, 'quota')).breakdowns.map(({ by, rows: all }) => [
        by,
        all.map(({ value, share, pulls }) => [value, share.part, share.whole, pulls]),
      ]),
    )
    expect(rows.job).toEqual([
      ['e2e-aws', 6, 66, 0],
      ['e2e-gcp', 1, 1, 1],
    ])
    expect(rows.cluster).toEqual([
      ['build01', 4, 34, 1],
      ['build00', 3, 33, 0],
    ])
    expect(rows.branch).toEqual([
      ['', 6, 66, 0],
      ['main', 1, 1, 1],
    ])
    expect(rows.platform?.map(([value]) => value)).toEqual(['aws', 'gcp'])
  })

  test('warn of a witness that is hardly written any more', async () => {
    const { scorecard } = await figuresView(ctx, 'beats')
    expect(scorecard.warnings).toEqual([expect.stringMatching(/hardly written any more/)])
  })

  test('of a signature that is none are not found', async () => {
    await expect(figuresView(ctx, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
