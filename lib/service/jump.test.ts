import { expect, test } from 'vitest'
import { snowflakeAt } from '../model/build-id.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { HOUR, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import { jump } from './jump.ts'

const NOW = Date.UTC(2026, 10, 3, 9)
const ID = snowflakeAt(NOW - HOUR)
const BUG = 'https://bugzilla.redhat.com/show_bug.cgi?id=77'
const pulls = { refs: { org: 'o', repo: 'r', pulls: [{ number: 7 }] } }

const store = createReferenceStore()
for (const [path, more] of [
  ['logs/e2e/8664', {}],
  ['logs/e2e/12', {}],
  ['logs/unit/12', {}],
  ['logs/e2e/77', {}],
  ['logs/only/13', {}],
  ['pr-logs/pull/o_r/7/pull-e2e/9', pulls],
] as const)
  await publishRun(store, makeRun({ bucket: 'gs://origin-ci-test', path, startedAt: NOW - HOUR, ...more }))
for (const bucket of ['gs://one', 'gs://two'])
  await publishRun(store, makeRun({ bucket, path: 'logs/copied/5', startedAt: NOW - HOUR }))
const named = [makeSignature({ bugs: [BUG, 'https://github.com/o/r/issues/7', 'https://github.com/o/r/issues/8'] })]
const ctx = makeContext(store, named, NOW)
const RUN = '/runs/gs/origin-ci-test/logs/e2e/8664'
const DECK = 'https://prow.ci.openshift.org'

test.each([
  [`${DECK}/view/gs/origin-ci-test/logs/e2e/8664`, RUN],
  [`${DECK}/view/gs/test-platform-results/logs/e2e/8664`, RUN],
  [`${DECK}/view/gs/origin-ci-test/logs/e2e/8664#1:build-log.txt%3A4`, `${RUN}?log=build-log.txt&line=4#L4`],
  ['gs://origin-ci-test/logs/e2e/8664/artifacts/x/lease.log', `${RUN}?log=artifacts%2Fx%2Flease.log`],
  [
    `${DECK}/view/gs/origin-ci-test/pr-logs/directory/pull-e2e/9`,
    '/runs/gs/origin-ci-test/pr-logs/pull/o_r/7/pull-e2e/9',
  ],
  [`${DECK}/view/prowjob/e2e/8664`, RUN],
  ['8664', RUN],
  [`${DECK}/view/prowjob/unit/12`, '/runs/gs/origin-ci-test/logs/unit/12'],
  [`${DECK}/job-history/gs/origin-ci-test/logs/e2e`, '/jobs/e2e'],
  ['https://github.com/o/r/pull/7', '/pr/o/r/7'],
  ['o/r#9', '/pr/o/r/9'],
  ['o/r#8', '/bug/o%2Fr%238'],
  ['bz77', '/bug/bz77'],
  ['Bug 77', '/bug/bz77'],
  ['OCPBUGS-123', '/bug/OCPBUGS-123'],
])('%s opens %s', async (text, page) => {
  expect(await jump(ctx, text)).toEqual({ kind: 'page', page })
})

test.each([
  ['12', ['e2e 12', 'unit 12']],
  [`${DECK}/view/prowjob/copied/5`, ['copied 5', 'copied 5']],
  ['77', ['e2e 77', 'bug 77']],
  ['o/r#7', ['the runs of pull request o/r#7', 'bug o/r#7']],
])('%s may be any of several', async (text, titles) => {
  const found = await jump(ctx, text)
  expect(found.kind === 'choices' && found.choices.map(({ title }) => title)).toEqual(titles)
})

test.each([
  [`${DECK}/view/gs/origin-ci-test/logs/e2e/${ID}`, { job: 'e2e', buildId: ID, bucket: 'origin-ci-test' }],
  [`${DECK}/view/prowjob/e2e/5`, { job: 'e2e', buildId: '5' }],
  [ID, { buildId: ID, began: expect.any(Number) }],
])('%s is not read', async (text, unread) => {
  expect(await jump(ctx, text)).toMatchObject({ kind: 'unread', unread })
})

test.each(['6', 'Bug 6', 'no-1', 'boskos.ci.*EOF', '', 'https://example.org'])('%s is searched', async (text) => {
  expect(await jump(ctx, text)).toEqual({ kind: 'pattern' })
})

test.each([
  ['8664', 'pattern'],
  ['bz77', 'pattern'],
  ['o/r#9', 'pattern'],
  [`${DECK}/view/prowjob/e2e/8664`, 'page'],
  ['gs://origin-ci-test/logs/e2e/8664', 'page'],
  [BUG, 'page'],
])('where patterns are asked for, %s is %s', async (text, kind) => {
  expect((await jump(ctx, text, { addressesOnly: true })).kind).toBe(kind)
})
