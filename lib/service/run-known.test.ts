import { describe, expect, test } from 'vitest'
import type { Gap } from '../model/gap.ts'
import type { Hit } from '../model/hit.ts'
import type { Log, Run } from '../model/run.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { StoredRun } from '../store/store.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, HOUR, makeHit, makeRun, makeSignature, publishRun } from '../testing/values.ts'
import { type Knowledge, type RunKnown, runKnown, runsKnown } from './run-known.ts'

const NOW = Date.UTC(2026, 10, 3, 9)
const BUG = 'https://bugzilla.redhat.com/show_bug.cgi?id=1750890'
const LEASE = makeSignature({ bugs: [BUG] })
const QUOTA = makeSignature({ id: 'aws.quota', title: 'Quota' })
const GAP: Gap = { from: NOW - 90 * 60_000, to: NOW - HOUR, why: 'down', detail: 'x' }
const KNOWLEDGE: Knowledge = {
  signatures: new Map([LEASE, QUOTA].map((signature) => [signature.id, signature])),
  gaps: new Map(),
  reevaluating: false,
}
const LOG: Log = { name: 'build-log.txt', kind: 'build-log', bytes: 9, lines: 2 }
const HIT = makeHit({ at: NOW, line: 7 })
const FAILURE = { log: 'build-log.txt', line: 2, text: 'make: *** [test] Error 1', group: 'g1' }

interface Given {
  readonly run?: Partial<Run>
  readonly hits?: readonly Hit[]
  readonly logs?: readonly Log[]
  readonly expired?: true
  readonly gaps?: readonly Gap[]
  readonly reevaluating?: true
}

function judge({ run = {}, hits = [], logs = [LOG], expired, gaps = [], reevaluating }: Given): RunKnown {
  const made = makeRun({ startedAt: NOW - 2 * HOUR, finishedAt: NOW - HOUR, failure: FAILURE, ...run })
  const stored: StoredRun = {
    ...{ run: made, hits, logs, fingerprint: 'f', firstSeen: NOW, tracks: [], exposures: [] },
    expired: expired === true,
  }
  return runKnown(stored, {
    ...KNOWLEDGE,
    gaps: new Map([[made.bucket, gaps]]),
    reevaluating: reevaluating === true,
  })
}

describe('a run is', () => {
  test.each<[string, Given, RunKnown['state'], string | RegExp]>([
    ['known', { hits: [HIT] }, 'known', 'known: Boskos lease lost'],
    ['known of two', { hits: [HIT, { ...HIT, signature: 'aws.quota' }] }, 'known', 'known: Boskos lease lost; Quota'],
    ['known, though not whole', { hits: [HIT], logs: [], gaps: [GAP] }, 'known', /^known/],
    ['not known', {}, 'not', 'not known: no signature matches it'],
    ['not known, of a pull request', { run: { type: 'presubmit' } }, 'not', 'not known: probably yours'],
    ['not known, of several', { run: { type: 'batch' } }, 'not', 'not known: probably of one of its pull requests'],
    ['not known: it recovered', { hits: [{ ...HIT, recovered: true }] }, 'not', /^not known/],
    ['known: one resource did not recover', { hits: [{ ...HIT, recovered: true }, HIT] }, 'known', /^known/],
    ['not known: the signature is gone', { hits: [{ ...HIT, signature: 'gone' }] }, 'not', /^not known/],
    ['unsure: no log', { logs: [] }, 'unsure', /it left no log$/],
    ['unsure: a log cut', { logs: [{ ...LOG, truncatedFrom: 99 }] }, 'unsure', /not all of its logs was read$/],
    ['unsure: a log broken', { logs: [{ ...LOG, broken: 'gzip' }] }, 'unsure', /not all of its logs was read$/],
    ['unsure: text gone', { expired: true }, 'unsure', /newer signatures were not looked for$/],
    ['unsure: in a gap', { gaps: [GAP] }, 'unsure', /missed runs from 3 Nov 2026 07:30 UTC to 3 Nov 2026 08:00 UTC$/],
    ['not known: the gap is filled', { gaps: [{ ...GAP, filledAt: NOW }] }, 'not', /^not known/],
    ['not known: the gap is elsewhere', { gaps: [{ ...GAP, from: NOW, to: NOW + 1 }] }, 'not', /^not known/],
    ['unsure: signatures edited', { reevaluating: true }, 'unsure', /looked for just now$/],
    ['passed', { run: { result: 'success' }, hits: [HIT] }, 'passed', 'passed'],
    ['pending', { run: { result: 'pending' } }, 'pending', 'not ended yet'],
    ['aborted', { run: { result: 'aborted' } }, 'ended', 'aborted'],
    ['lost', { run: { result: 'lost' } }, 'ended', 'lost: it never ended'],
  ])('%s', (_, given, state, words) => {
    const known = judge(given)
    expect(known.state).toBe(state)
    expect(known.words).toMatch(words)
  })

  test('told with the bug, the line and its page, and the failure line only where nothing is known', () => {
    const known = judge({ hits: [HIT] })
    const page = '/runs/gs/ci/logs/e2e-aws/1?log=build-log.txt&line=7#L7'
    expect(known.died).toMatchObject([{ id: LEASE.id, bugs: [BUG], hit: { line: 7 }, links: { prowl: page } }])
    expect(known.failure).toBeUndefined()
    expect(judge({}).failure).toMatchObject({ text: FAILURE.text, links: { prowl: expect.stringContaining('line=2') } })
    const passed = judge({ run: { result: 'success' }, hits: [HIT] })
    expect([passed.died, passed.survived.map(({ id }) => id)]).toEqual([[], [LEASE.id]])
  })
})

test('others with such a line are counted, of two weeks, without those told', async () => {
  const store = createReferenceStore()
  const failed = (id: number, daysAgo: number) =>
    makeRun({ path: `logs/e2e/${id}`, startedAt: NOW - daysAgo * DAY, failure: FAILURE })
  for (const run of [failed(1, 1), failed(2, 2), failed(3, 3), failed(4, 20)]) await publishRun(store, run)
  const stored = await Promise.all([1, 2].map((id) => store.run({ bucket: 'gs://ci', path: `logs/e2e/${id}` })))
  const known = await runsKnown(
    makeContext(store, [LEASE], NOW),
    stored.filter((one) => one !== undefined),
  )
  expect(known.map(({ failure }) => failure?.others)).toEqual([1, 1])
})
