import { describe, expect, test } from 'vitest'
import type { Run } from '../model/run.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { makeContext } from '../testing/context.ts'
import { storeRun } from '../testing/stored-run.ts'
import { HOUR, makeHit, makeRun, makeSignature } from '../testing/values.ts'
import { pullText } from './known-text.ts'
import { putGaps, putIngestState } from './passes.ts'
import { pullAnswer, pullView } from './pull.ts'
import { pullHeadline } from './pull-words.ts'

const NOW = Date.UTC(2026, 10, 3, 9)
const PULL = { org: 'openshift', repo: 'installer', number: 2708 }
const BUG = 'https://bugzilla.redhat.com/show_bug.cgi?id=1750890'
const [OLD, NEWEST] = ['a'.repeat(40), 'b'.repeat(40)]
const STATE = {
  bucket: 'gs://ci',
  passStartedAt: NOW - 9,
  passFinishedAt: NOW - 5,
  completeTo: NOW - 100,
  done: 1,
  total: 1,
}

interface Given extends Partial<Run> {
  readonly id: number
  readonly job?: string
  readonly sha?: string | undefined
  readonly hoursAgo: number
  readonly hit?: true
  readonly others?: readonly number[]
}

async function put(store: Store, { id, job = 'pull-e2e', sha, hoursAgo, hit, others = [], ...more }: Given) {
  const path = `pr-logs/pull/openshift_installer/2708/${job}/${id}`
  const own = { number: PULL.number, ...(sha !== undefined && { sha }) }
  const refs = { org: PULL.org, repo: PULL.repo, pulls: [own, ...others.map((number) => ({ number }))] }
  const run = makeRun({ path, startedAt: NOW - hoursAgo * HOUR, type: 'presubmit', refs, ...more })
  const log = { 'build-log.txt': Buffer.from('x\n') }
  const hits = hit ? [makeHit({ at: NOW, path, job, time: run.time })] : []
  await storeRun(store, run, log, hits)
}

async function viewOf(runs: readonly Given[], read = true) {
  const store = createReferenceStore()
  if (read) await putIngestState(store, STATE)
  for (const run of runs) await put(store, run)
  return await pullView(makeContext(store, [makeSignature({ bugs: [BUG] })], NOW), PULL)
}

const KNOWN: Given = { id: 1, sha: NEWEST, hoursAgo: 3, hit: true }
const YOURS: Given = { id: 2, sha: NEWEST, hoursAgo: 4, job: 'pull-unit' }
const PASSED: Given = { id: 3, sha: NEWEST, hoursAgo: 1, result: 'success' }
const PENDING: Given = { id: 4, sha: NEWEST, hoursAgo: 0.5, result: 'pending', job: 'pull-images' }
const BEFORE: Given = { id: 5, sha: OLD, hoursAgo: 20 }

describe('a pull request', () => {
  test('lists its failed runs by commit, the newest first, each with what is known', async () => {
    const view = await viewOf([KNOWN, YOURS, PENDING, BEFORE, { id: 6, hoursAgo: 2 }])
    expect(view.pull).toMatchObject({ name: 'openshift/installer#2708', github: expect.stringContaining('/pull/2708') })
    expect(view.commits.map(({ sha }) => sha)).toEqual([NEWEST, OLD, undefined])
    expect(view.commits[0]?.failed.map(({ run, state }) => [run.job, state])).toEqual([
      ['pull-e2e', 'known'],
      ['pull-unit', 'not'],
    ])
    expect(view.commits[0]?.failed[0]?.died[0]?.bugs).toEqual([BUG])
    expect(view.commits[0]?.pending.map(({ job }) => job)).toEqual(['pull-images'])
    expect({ completeTo: view.completeTo, partial: view.partial }).toEqual({ completeTo: NOW - 100, partial: [] })
    expect(pullHeadline(view)).toBe(
      '2 of 3 runs of commit bbbbbbbbbb failed: 1 of a known failure, 1 not known; 1 not ended yet.',
    )
  })

  test('says of a job that it passed since, on the same commit only', async () => {
    const passedBefore: Given = { ...PASSED, id: 7, hoursAgo: 9, job: 'pull-unit' }
    expect((await viewOf([YOURS, passedBefore])).commits[0]?.failed[0]?.passedSince).toBeUndefined()
    const view = await viewOf([{ ...YOURS, job: 'pull-e2e' }, PASSED, BEFORE])
    expect(view.commits.map(({ failed }) => failed[0]?.words)).toEqual([
      'not known: it passed since, on the same commit',
      'not known: probably yours',
    ])
    expect(pullHeadline(view)).toMatch(/failed: 1 not known\. 1 of the failed passed since, on the same commit\.$/)
    expect(view.commits.map(({ failed }) => failed[0]?.passedSince?.buildId)).toEqual(['3', undefined])
  })

  test('says which others a batch tested with it', async () => {
    const view = await viewOf([{ ...YOURS, type: 'batch', others: [2701, 2699] }])
    expect(view.commits[0]?.failed[0]?.beside).toEqual([2701, 2699])
  })

  test('that was never seen, and one without a failed run', async () => {
    expect(pullHeadline(await viewOf([]))).toMatch(
      /^No run of openshift\/installer#2708 was read: its runs may be too new/,
    )
    expect(pullHeadline(await viewOf([], false))).toMatch(/nothing may have been read yet/)
    expect(pullHeadline(await viewOf([PASSED, PENDING]))).toBe(
      'None of 2 runs of commit bbbbbbbbbb failed; 1 passed, 1 not ended yet.',
    )
  })

  test('is not called yours where runs may be missing', async () => {
    const store = createReferenceStore()
    await putIngestState(store, STATE)
    await putGaps(store, 'gs://ci', [{ from: NOW - 5 * HOUR, to: NOW - 3.5 * HOUR, why: 'down', detail: 'x' }])
    await put(store, YOURS)
    const view = await pullView(makeContext(store, [], NOW), PULL)
    expect([view.commits[0]?.failed[0]?.state, view.partial]).toEqual(['unsure', ['gap']])
    expect(pullHeadline(view)).toContain('1 undecided')
  })

  test('as text: a line a run, columns apart by tabs', async () => {
    const lines = pullText(await viewOf([KNOWN, YOURS, BEFORE]), 'https://prowl')
      .trimEnd()
      .split('\n')
    expect(lines.slice(3)).toEqual([
      'newest: 2 of 2 runs of commit bbbbbbbbbb failed: 1 of a known failure, 1 not known',
      'state\tjob\tbuild\twhat is known\tbug\tpage',
      `known\tpull-e2e\t1\tknown: Boskos lease lost\t${BUG}\thttps://prowl/runs/gs/ci/pr-logs/pull/openshift_installer/2708/pull-e2e/1`,
      'not\tpull-unit\t2\tnot known: probably yours\t–\thttps://prowl/runs/gs/ci/pr-logs/pull/openshift_installer/2708/pull-unit/2',
      '',
      'superseded: 1 of 1 run of commit aaaaaaaaaa failed: 1 not known',
      'state\tjob\tbuild\twhat is known\tbug\tpage',
      expect.stringMatching(/^not\tpull-e2e\t5\t/),
    ])
  })
})

describe('the answer for a script', () => {
  test.each<[string, readonly Given[], ReturnType<typeof pullAnswer>]>([
    ['each is known', [KNOWN, BEFORE], 'known'],
    ['one is not', [KNOWN, YOURS], 'not'],
    ['one is not, but passed since', [KNOWN, { ...YOURS, job: 'pull-x' }, { ...PASSED, job: 'pull-x' }], 'known'],
    ['one has not ended', [KNOWN, PENDING], 'undecided'],
    ['none failed', [PASSED], 'not'],
    ['never seen', [], 'unread'],
  ])('%s', async (_, runs, answer) => {
    expect(pullAnswer(await viewOf(runs))).toBe(answer)
  })
})
