import { expect, test } from 'vitest'
import { describeRun } from './describe.ts'
import { prowLog } from './prow-log.ts'

const LONG = '<'.repeat(6 * 2 ** 20)
const PATH = { path: 'logs/e2e/1', job: 'e2e', buildId: '1', type: 'periodic' } as const
const KEY = { bucket: 'gs://b', path: PATH.path }
const OPTIONS = { firstSeen: Date.UTC(2026, 0), lost: false, settledBefore: 0 }
const FINISHED = '{"timestamp": 1790000000, "passed": false, "result": "FAILURE"}'

/** A page shows them by the hundred, and the store keeps them beside every run. */
test('words and lists of a run’s documents are cut, however long they are', () => {
  const pulls = Array.from({ length: 20_000 }, (_, at) => ({
    number: at + 1,
    author: 'me',
  }))
  const described = describeRun(
    KEY,
    PATH,
    {
      'finished.json': FINISHED,
      'prowjob.json': JSON.stringify({
        spec: { cluster: LONG, refs: { org: LONG, repo: LONG, pulls } },
        status: { state: 'failure', description: LONG },
      }),
      'podinfo.json': JSON.stringify({ events: Array.from({ length: 50_000 }, () => ({ message: 'planted' })) }),
    },
    OPTIONS,
  )
  expect(described.run.description).toBe('<'.repeat(4_096))
  expect(described.run.refs?.pulls).toHaveLength(1_000)
  expect(JSON.stringify(described.run).length).toBeLessThan(100_000)
  expect(prowLog(described).split('\n')).toHaveLength(1_002)
})

test('words of a run’s documents hold nothing that a terminal obeys', () => {
  const word = 'a\u001b[2J\u009b\u202eb\tc\nd'
  const prowjob = JSON.stringify({ spec: { cluster: word }, status: { state: 'failure', description: word } })
  const { run } = describeRun(KEY, PATH, { 'finished.json': FINISHED, 'prowjob.json': prowjob }, OPTIONS)
  expect(run).toMatchObject({ cluster: 'a\u241b[2J\ufffd\ufffdb\tc\nd', description: 'a\u241b[2J\ufffd\ufffdb\tc\nd' })
})

test.each([
  ['nested without end', '['.repeat(2 ** 22)],
  ['objects nested without end', '{"a":'.repeat(2 ** 20)],
  ['names of prototypes', '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "status": 3}'],
  ['numbers beyond all bounds', '{"status": {"startTime": 1e400, "completionTime": -1e308}}'],
  ['a half of a character', '"\\ud800"'],
])('%s leave a run that says so or is as if they were not there', (_, text) => {
  const { run } = describeRun(
    KEY,
    PATH,
    { 'finished.json': FINISHED, 'prowjob.json': text, 'podinfo.json': text },
    OPTIONS,
  )
  expect(run).toMatchObject({ result: 'failure', time: 1_790_000_000_000 })
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})
