import { beforeAll, expect, test } from 'vitest'
import { refreshIncidents } from '../incident/refresh.ts'
import type { RunResult } from '../model/run.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, HOUR, MINUTE, makeHit, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import { figuresView } from './figures.ts'
import { incidentDraft } from './freeze-drafts.ts'
import { incidentView } from './incident.ts'
import { habitWords, togetherSentence } from './together.ts'

const START = Date.UTC(2026, 8, 1)
const END = START + 90 * DAY
const lease = makeSignature({ id: 'lease', title: 'Lease lost' })
const eof = makeSignature({ id: 'lease.eof', part: { of: 'lease', causes: [''] } })
const api = makeSignature({ id: 'api', title: 'API down' })
const dns = makeSignature({ id: 'dns', title: 'DNS' })
const SIGNATURES = [lease, eof, api, dns]
const ALL = SIGNATURES.map(({ id }) => id)
/** Both strike on all of these days; on the last one on another build cluster each. */
const DAYS = [4, 21, 38, 60, 77]

let store: Store

async function strike(signatures: readonly string[], at: number, cluster: string): Promise<void> {
  for (const [job, result] of [
    ['e2e-aws', 'failure'],
    ['e2e-gcp', 'success'],
  ] as const satisfies [string, RunResult][]) {
    const path = `logs/${signatures[0]}-${job}/${at}`
    const run = { ...makeRun({ path, startedAt: at - HOUR, finishedAt: at + HOUR, result }), cluster }
    const hits = signatures.map((signature) => makeHit({ at, signature, path }))
    await publishRun(store, run, hits, ALL)
  }
}

beforeAll(async () => {
  store = createReferenceStore()
  for (let day = 0; day < 90; day++)
    await publishRun(
      store,
      makeRun({ path: `logs/watch/${day}`, startedAt: START + day * DAY, finishedAt: START + (day + 1) * DAY }),
      [],
      ALL,
    )
  for (const day of DAYS) {
    const apart = day === DAYS.at(-1)
    await strike(['lease', 'lease.eof'], START + day * DAY, 'build01')
    await strike(['api'], START + day * DAY + 10 * MINUTE, apart ? 'build02' : 'build01')
    await strike(['dns'], START + (day + 5) * DAY, 'build01')
  }
  await refreshIncidents(store, { signatures: SIGNATURES, problems: [] })
})

const context = () => makeContext(store, SIGNATURES, END)
const incidentOf = async (signature: string, day: number) => {
  const incidents = await store.incidents({ signature })
  return incidents.find(({ at }) => Math.round((at - START) / DAY) === day)?.id ?? ''
}

test('an incident names what struck with it, and why that is one outage', async () => {
  const { together, outcomes, outcomeWords } = await incidentView(context(), await incidentOf('lease', 21))
  expect(together).toEqual([
    {
      signature: { id: 'api', title: 'API down' },
      incident: expect.objectContaining({
        id: await incidentOf('api', 21),
        at: START + 21 * DAY + 10 * MINUTE,
        runs: 2,
      }),
      sharedRuns: 0,
      sharedClusters: ['build01'],
      times: 4,
      expected: expect.closeTo(0.0149, 4),
    },
  ])
  expect(outcomes).toEqual({ died: 1, later: 0, passed: 1, other: 0 })
  expect(outcomeWords).toBe('1 run died of it, 1 passed')
  const back = await incidentView(context(), await incidentOf('api', 21))
  expect(back.together.map(({ incident }) => incident.id)).toEqual([await incidentOf('lease', 21)])
})

test.each([
  ['elsewhere at the same time', 'lease', 77],
  ['a part, which is told with its whole', 'lease.eof', 21],
  ['at other times', 'dns', 26],
])('%s: nothing is named', async (_, signature, day) => {
  expect((await incidentView(context(), await incidentOf(signature, day))).together).toEqual([])
})

test('a signature says what it strikes together with', async () => {
  expect((await figuresView(context(), 'lease')).together).toMatchObject([{ id: 'api', title: 'API down', times: 4 }])
  expect((await figuresView(context(), 'dns')).together).toEqual([])
})

test('evidence of an incident keeps what became of its runs, and what struck with it', async () => {
  const { sentences } = await incidentDraft(context(), await incidentOf('lease', 21))
  expect(sentences).toEqual(['1 run died of it, 1 passed.', 'Struck together with API down.'])
})

test.each([
  [{ times: 2, expected: 0.0042 }, 'twice, where chance alone would give less than 0.01'],
  [{ times: 5, expected: 0.149 }, '5 times, where chance alone would give 0.1'],
  [{ times: 40, expected: 11.4 }, '40 times, where chance alone would give 11.4'],
])('%j: %s', (habit, words) => {
  expect(habitWords(habit)).toBe(words)
})

test('a sentence names each signature once', async () => {
  const { together } = await incidentView(context(), await incidentOf('lease', 21))
  expect(togetherSentence([...together, ...together])).toEqual(['Struck together with API down.'])
  expect(togetherSentence([])).toEqual([])
})
