import { expect, test } from 'vitest'
import { createReferenceStore } from '../store/reference.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, HOUR, makeRun } from '../testing/values.ts'
import { jobsAge, prowJobs } from './peer-jobs.ts'

const NOW = Date.UTC(2026, 11, 1, 12)

async function jobsOf(runs: readonly Parameters<typeof makeRun>[0][], ageMs = DAY) {
  const store = createReferenceStore()
  for (const run of runs) await storeRun(store, makeRun(run), {})
  let text = ''
  for await (const chunk of prowJobs({ store, now: () => NOW }, ageMs, 'https://prowl.test')) text += chunk
  return JSON.parse(text)
}

test('runs as Prow tells of them, the newest first, as far back as asked', async () => {
  const startedAt = NOW - 3 * HOUR
  const pulls = [{ number: 7, author: 'ada', sha: 'abc' }]
  const { items } = await jobsOf([
    { startedAt: NOW - 2 * DAY, path: 'logs/old/1' },
    { startedAt, path: 'logs/e2e/2', bucket: 'gs://origin-ci-test', cluster: 'build01', result: 'lost' },
    {
      startedAt: startedAt + HOUR,
      path: 'pr-logs/pull/o_r/7/unit/3',
      type: 'presubmit',
      result: 'success',
      refs: { org: 'o', repo: 'r', baseRef: 'main', pulls },
    },
  ])
  expect(items).toEqual([
    {
      metadata: { name: '3', annotations: { 'prow.k8s.io/job': 'unit' } },
      spec: { type: 'presubmit', job: 'unit', refs: { org: 'o', repo: 'r', base_ref: 'main', pulls } },
      status: {
        state: 'success',
        startTime: '2026-12-01T10:00:00Z',
        completionTime: '2026-12-01T11:00:00Z',
        url: 'https://prowl.test/runs/gs/ci/pr-logs/pull/o_r/7/unit/3',
        build_id: '3',
      },
    },
    {
      metadata: { name: '2', annotations: { 'prow.k8s.io/job': 'e2e' } },
      spec: { type: 'periodic', job: 'e2e', cluster: 'build01' },
      status: {
        state: 'error',
        startTime: '2026-12-01T09:00:00Z',
        completionTime: '2026-12-01T10:00:00Z',
        url: 'https://prow.ci.openshift.org/view/gs/test-platform-results/logs/e2e/2',
        build_id: '2',
      },
    },
  ])
})

test('none, and more than are sent at once', async () => {
  expect(await jobsOf([])).toEqual({ items: [] })
  const many = Array.from({ length: 1_200 }, (_, i) => ({ startedAt: NOW - HOUR - i, path: `logs/e2e/${i}` }))
  const { items } = await jobsOf(many)
  expect(items).toHaveLength(1_200)
})

test('how far back', () => {
  expect([jobsAge(new URLSearchParams()), jobsAge(new URLSearchParams('maxAge=2h'))]).toEqual([14 * DAY, 2 * HOUR])
  expect(() => jobsAge(new URLSearchParams('maxAge=x'))).toThrow(/^maxAge: must be a duration/)
})
