import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSearcher, type Searcher } from '../search/engine.ts'
import { parseCatalogue } from '../signature/catalogue.ts'
import { createMatcher } from '../signature/run-matcher.ts'
import { openStore } from '../store/open.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, makeRun } from '../testing/values.ts'
import { type Difference, type PreviewOptions, preview, withFile } from './preview.ts'

const NOW = Date.UTC(2026, 10, 3)
const OPTIONS: PreviewOptions = { deadlineMs: 60_000, listed: 50 }
/** Backtracks without end on STUCK: V8's linear engine takes no such counts. */
const CATASTROPHE = '^(?:x+x+){17,40}y'
const STUCK = 'x'.repeat(60)

const entry = (id: string, regex: string, more = '') =>
  `  - {id: ${id}, title: T, kind: per-run, regexes: ['${regex}']${more}}\n`
const fileOf = (...entries: string[]) => ({ file: 'signatures/a.yaml', text: `signatures:\n${entries.join('')}` })
const catalogueOf = (...entries: string[]) => {
  const catalogue = parseCatalogue([fileOf(...entries)])
  expect(catalogue.problems).toEqual([])
  return catalogue
}

/** A run for each text, the first the newest, with the hits that a catalogue finds in it. */
async function fill(store: Store, texts: readonly string[], catalogue: ReturnType<typeof catalogueOf>): Promise<void> {
  const matcher = createMatcher(catalogue)
  for (const [at, text] of texts.entries()) {
    const run = makeRun({ path: `logs/e2e/${at}`, startedAt: NOW - (at + 1) * DAY, result: 'failure' })
    const matching = matcher.startRun(run)
    const log = matching.startLog({ name: 'build-log.txt', kind: 'build-log' })
    log.block({ firstLine: 1, lineCount: text.split('\n').length, bytes: Buffer.from(text), ascii: true })
    log.end()
    await storeRun(store, run, { 'build-log.txt': Buffer.from(`${text}\n`) }, matching.finish({ complete: true }).hits)
  }
}

let store: Store
let searcher: Searcher
beforeAll(() => {
  store = createReferenceStore()
  searcher = createSearcher({ store, threads: 2 })
})
afterAll(() => searcher.close())

async function searcherOf(texts: readonly string[], catalogue: ReturnType<typeof catalogueOf>) {
  const own = createReferenceStore()
  await fill(own, texts, catalogue)
  return { store: own, searcher: createSearcher({ store: own, threads: 2 }) }
}

const texts = (runs: readonly Difference[]) => runs.map(({ hits }) => hits.map(({ text }) => text).join('; '))

describe('an edit', () => {
  const before = catalogueOf(entry('boom', 'boom [01]'))
  let own: Awaited<ReturnType<typeof searcherOf>>
  beforeAll(async () => {
    own = await searcherOf(['boom 0', 'boom 1', 'boom 2', 'boom 2\nboom 9'], before)
  })
  afterAll(() => own.searcher.close())

  const edits: [string, string[], unknown[]][] = [
    [
      'tells the runs it would gain and lose',
      [entry('boom', 'boom [12]')],
      [{ signature: 'boom', why: 'edited', gained: ['boom 2', 'boom 2'], lost: ['boom 0'], kept: 1 }],
    ],
    [
      'that finds the same in other words changes nothing',
      [entry('boom', 'bo+m [01]')],
      [{ signature: 'boom', why: 'edited', gained: [], lost: [], kept: 2 }],
    ],
    [
      'adds a signature beside the others',
      [entry('boom', 'boom [01]'), entry('other', 'boom 9')],
      [{ signature: 'other', why: 'new', gained: ['boom 9'], lost: [], kept: 0 }],
    ],
    [
      'takes lines from what yields to it',
      [entry('boom', 'boom [01]', ', yields_to: [other]'), entry('other', 'boom 0')],
      [
        { signature: 'boom', why: 'edited', gained: [], lost: ['boom 0'], kept: 1 },
        { signature: 'other', why: 'new', gained: ['boom 0'], lost: [], kept: 0 },
      ],
    ],
    [
      'that takes a signature away loses all its runs',
      [entry('other', 'nothing')],
      [
        { signature: 'other', why: 'new', gained: [], lost: [], kept: 0 },
        { signature: 'boom', why: 'removed', gained: [], lost: ['boom 0', 'boom 1'], kept: 0 },
      ],
    ],
  ]
  test.each(edits)('%s', async (_, entries, expected) => {
    const { previews, ...rest } = await preview(own.searcher, before, catalogueOf(...entries), OPTIONS)
    expect(
      previews.map(({ title: _, gained, lost, ...preview }) => ({
        ...preview,
        gained: texts(gained.runs),
        lost: texts(lost.runs),
      })),
    ).toEqual(expected)
    expect(rest).toEqual({ runs: 4, expired: 0, leftOut: 0, partial: false })
    expect((await own.store.hits({ signature: 'boom' }, { limit: 9 })).items.map(({ text }) => text)).toEqual([
      'boom 0',
      'boom 1',
    ])
  })

  test('of what a signature yields to is told of that one, too', async () => {
    const yielding = catalogueOf(entry('boom', 'boom', ', yields_to: [nine]'), entry('nine', 'boom 9'))
    const { searcher: theirs } = await searcherOf(['boom 9', 'boom 8'], yielding)
    const edited = catalogueOf(entry('boom', 'boom', ', yields_to: [nine]'), entry('nine', 'boom 8'))
    const { previews } = await preview(theirs, yielding, edited, OPTIONS)
    await theirs.close()
    expect(
      previews.map(({ signature, why, gained, lost }) => [signature, why, texts(gained.runs), texts(lost.runs)]),
    ).toEqual([
      ['boom', 'yields', ['boom 9'], ['boom 8']],
      ['nine', 'edited', ['boom 8'], ['boom 9']],
    ])
  })

  test('of rules that differ in nothing looks at nothing', async () => {
    const retitled = catalogueOf(entry('boom', 'boom [01]').replace('title: T', 'title: Other'))
    expect(await preview(own.searcher, before, retitled, OPTIONS)).toEqual({
      previews: [],
      runs: 0,
      expired: 0,
      leftOut: 0,
      partial: false,
    })
  })

  test('names as many runs as were asked for, and counts them all', async () => {
    const all = catalogueOf(entry('boom', 'boom'))
    const { previews } = await preview(own.searcher, before, all, { ...OPTIONS, listed: 1 })
    expect(previews[0]?.gained).toMatchObject({ count: 2, runs: [{ run: { path: 'logs/e2e/2' } }] })
  })
})

test('runs whose text is gone are counted apart', async () => {
  const before = catalogueOf(entry('boom', 'boom 0'))
  const own = await searcherOf(['boom 0', 'boom 1', 'boom 0'], before)
  await own.store.maintain({ expireBefore: new Date(NOW - 1.5 * DAY).toISOString().slice(0, 10) })
  const answer = await preview(own.searcher, before, catalogueOf(entry('boom', 'boom 1')), OPTIONS)
  await own.searcher.close()
  expect(answer).toMatchObject({ runs: 2, expired: 1, previews: [{ gained: { count: 1 }, lost: { count: 1 } }] })
})

test('worker threads read the embedded store by themselves', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'preview-'))
  const before = catalogueOf(entry('boom', 'boom 0'))
  const written = await openStore({ dataDir, mode: 'write' })
  await fill(written, ['boom 0', 'boom 1\n{"msg":"boom \\"2\\""}'], before)
  await written.close()
  const opened = await openStore({ dataDir, mode: 'read', thread: true })
  const own = createSearcher({ store: opened, dataDir, threads: 2 })
  const { previews } = await preview(own, before, catalogueOf(entry('boom', 'boom "?[12]')), OPTIONS)
  await own.close()
  await opened.close()
  await rm(dataDir, { recursive: true })
  expect(previews).toMatchObject([
    { lost: { count: 1 }, gained: { count: 1, runs: [{ hits: [{ line: 1 }], moreHits: 0 }] } },
  ])
})

describe('a pattern that comes to no end', () => {
  test('on one run: that one is left out, and the others are compared', async () => {
    const before = catalogueOf(entry('boom', 'boom'))
    const own = await searcherOf(['boom', STUCK, 'needle'], before)
    const answer = await preview(own.searcher, before, catalogueOf(entry('boom', `needle|${CATASTROPHE}`)), OPTIONS)
    await own.searcher.close()
    expect(answer).toMatchObject({ runs: 2, leftOut: 1, partial: false })
    expect(answer.previews).toMatchObject([{ gained: { count: 1 }, lost: { count: 1 } }])
  })

  test('on every run: the answer at the deadline says how far it came, and searches are answered meanwhile', async () => {
    const before = catalogueOf(entry('boom', 'boom'))
    const own = await searcherOf(['boom', ...Array.from({ length: 40 }, () => STUCK)], before)
    const done: string[] = []
    const previewing = preview(own.searcher, before, catalogueOf(entry('boom', CATASTROPHE)), {
      ...OPTIONS,
      deadlineMs: 3_000,
    }).finally(() => done.push('preview'))
    const query = { patterns: ['boom'], range: { from: 0, to: NOW }, context: 0, groupBy: 'none' as const }
    const limits = { maxHits: 9, maxHitsPerLog: 9, deadlineMs: 60_000, now: NOW }
    const { hits } = await own.searcher.search(query, limits).finally(() => done.push('search'))
    const answer = await previewing
    await own.searcher.close()
    expect(hits).toHaveLength(1)
    expect(done).toEqual(['search', 'preview'])
    expect(answer).toMatchObject({ partial: true, comparedFrom: expect.any(Number) })
    expect(answer.runs + answer.leftOut).toBeLessThan(41)
  })

  test('is no trouble where V8 has a linear engine', async () => {
    const before = catalogueOf(entry('boom', 'boom'))
    const own = await searcherOf(['boom', 'a'.repeat(60)], before)
    const answer = await preview(own.searcher, before, catalogueOf(entry('boom', '^(a+)+$')), OPTIONS)
    await own.searcher.close()
    expect(answer).toMatchObject({ runs: 2, leftOut: 0, previews: [{ gained: { count: 1 }, lost: { count: 1 } }] })
  })

  test('on its own sample: refused', async () => {
    const file = fileOf(entry('boom', CATASTROPHE, `, samples: {match: ['${STUCK}']}`))
    await expect(searcher.catalogue([file], { deadlineMs: 2_000 })).rejects.toMatchObject({
      code: 'SEARCH_DEADLINE',
      message: expect.stringMatching(/sample/),
    })
    expect(await searcher.catalogue([fileOf(entry('boom', 'b'))], { deadlineMs: 60_000 })).toMatchObject({
      problems: [],
    })
  })
})

test('a reader who leaves ends the preview', async () => {
  const before = catalogueOf(entry('boom', 'boom'))
  const own = await searcherOf([STUCK, STUCK], before)
  const reader = new AbortController()
  const previewing = preview(own.searcher, before, catalogueOf(entry('boom', CATASTROPHE)), {
    ...OPTIONS,
    signal: reader.signal,
  })
  setTimeout(() => reader.abort(new Error('left')), 100)
  await expect(previewing).rejects.toThrow('left')
  await own.searcher.close()
})

test('a file stands in place of the one of its name, or beside the others', () => {
  const files = [{ file: 'signatures/a.yaml', text: 'old' }]
  expect(withFile(files, { file: '/elsewhere/a.yaml', text: 'new' })).toEqual([
    { file: '/elsewhere/a.yaml', text: 'new' },
  ])
  expect(withFile(files, { file: 'b.yaml', text: 'new' })).toEqual([...files, { file: 'b.yaml', text: 'new' }])
})
