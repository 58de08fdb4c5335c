import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { refreshIncidents } from '../incident/refresh.ts'
import type { Evidence } from '../model/evidence.ts'
import type { Run } from '../model/run.ts'
import { createSearcher, type Searcher } from '../search/engine.ts'
import { parseQuery } from '../search/query.ts'
import { type Catalogue, parseCatalogue } from '../signature/catalogue.ts'
import { putDefinitions } from '../signature/definitions.ts'
import { createMatcher } from '../signature/run-matcher.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { sampleEvidence } from '../testing/evidence.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, MINUTE, makeRun } from '../testing/values.ts'
import type { Context } from './context.ts'
import { evidenceView } from './evidence.ts'
import { type Freezable, freeze } from './freeze.ts'

const NOON = Date.UTC(2026, 10, 3, 12)
const ORIGIN = { origin: 'https://prowl.example.org' }
const catalogueOf = (regex: string, more = ''): Catalogue => {
  const text = `signatures:\n  - {id: boom, title: It booms, kind: per-run, regexes: ['${regex}'], bugs: ['https://bugzilla.redhat.com/show_bug.cgi?id=7']${more}}\n`
  const catalogue = parseCatalogue([{ file: 'signatures/a.yaml', text }])
  expect(catalogue.problems).toEqual([])
  return catalogue
}

let store: Store
let searcher: Searcher
let now: number
let catalogue: Catalogue
let ctx: Context

beforeEach(() => {
  store = createReferenceStore()
  searcher = createSearcher({ store, threads: 2 })
  now = NOON
  catalogue = catalogueOf('boom [01]')
  ctx = { store, searcher, config: readConfig({ NODE_ENV: 'test' }), catalogue: async () => catalogue, now: () => now }
})
afterEach(() => searcher.close())

/** Publishes a run with the hits that the catalogue finds in its text. */
async function put(build: number, text: string, over: Partial<Run> = {}): Promise<Run> {
  const run = makeRun({ path: `logs/e2e/${build}`, startedAt: NOON - build * DAY, ...over })
  const matching = createMatcher(catalogue).startRun(run)
  const log = matching.startLog({ name: 'build-log.txt', kind: 'build-log' })
  log.block({ firstLine: 1, lineCount: text.split('\n').length, bytes: Buffer.from(text), ascii: true })
  log.end()
  const { hits } = matching.finish({ complete: true })
  await storeRun(store, run, { 'build-log.txt': Buffer.from(`${text}\n`) }, hits)
  await refreshIncidents(store, catalogue)
  return run
}

const asked = (search: string): Freezable => ({ query: parseQuery(new URLSearchParams(search)).query })
const frozen = async (what: Freezable): Promise<Evidence> => (await freeze(ctx, what)).evidence
const idOf = async (what: Freezable) => (await frozen(what)).id
const viewOf = (evidence: Evidence) => evidenceView(ctx, evidence.id, ORIGIN)

describe('the same content gives the same link', () => {
  test('minutes later, with other runs read meanwhile and over midnight; not on another day', async () => {
    await put(1, 'x\nboom 1')
    now = Date.UTC(2026, 10, 3, 23, 57)
    const first = await freeze(ctx, asked('search=boom'))
    expect(first).toMatchObject({
      isNew: true,
      evidence: { frozenAt: now, content: { counts: { lines: 1, runs: 1 } } },
    })
    now += MINUTE
    await put(2, 'nothing of it')
    await store.putState('ingest', ['gs://ci'])
    now += 4 * MINUTE
    const again = await freeze(ctx, asked('search=boom'))
    expect(again).toEqual({ evidence: first.evidence, isNew: false })
    expect((await store.status()).evidence).toBe(1)
    now += DAY
    expect(await idOf(asked('search=boom'))).not.toBe(first.evidence.id)
  })

  test('another answer, query or range gives another', async () => {
    await put(1, 'x\nboom 1')
    const ids = new Set([
      await idOf(asked('search=boom')),
      await idOf(asked('search=boom+1')),
      await idOf(asked('search=boom&name=e2e')),
      await idOf(asked('search=boom&maxAge=20d')),
      await idOf(asked('search=boom&from=2026-11-01&to=2026-11-03')),
      await idOf({ signature: 'boom' }),
    ])
    await put(2, 'boom 0')
    ids.add(await idOf(asked('search=boom')))
    expect(ids.size).toBe(7)
  })

  test('an id that other content has is made longer', async () => {
    const id = await idOf(asked('search=boom'))
    const other = createReferenceStore()
    await other.putEvidence(sampleEvidence({ id }))
    ctx = { ...ctx, store: other, searcher: createSearcher({ store: other, threads: 2 }) }
    const longer = await frozen(asked('search=boom'))
    expect(longer.id).toMatch(new RegExp(`^${id}.$`))
    expect(await freeze(ctx, asked('search=boom'))).toEqual({ evidence: longer, isNew: false })
    await ctx.searcher.close()
  })
})

describe('a search', () => {
  const then = { lines: 3, runs: 2, failedRuns: 1, jobs: 1, pulls: 0 }
  beforeEach(async () => {
    await put(1, 'before\nboom 1\nafter\nboom 9')
    await put(2, 'boom 0', { result: 'success' })
  })

  test('is frozen with its counts, lines, context and runs, and nobody’s name', async () => {
    await put(3, 'boom 5', { refs: { org: 'o', repo: 'r', pulls: [{ number: 7, author: 'ada', sha: 'f00' }] } })
    const evidence = await frozen(asked('search=BOOM&maxAge=10d'))
    expect(evidence.content.asked).toEqual({ kind: 'search', search: 'search=BOOM' })
    const { content } = await frozen(asked('search=boom&maxAge=10d'))
    expect(content.counts).toEqual({ lines: 4, runs: 3, failedRuns: 2, jobs: 1, pulls: 1 })
    expect(content.lines[0]).toMatchObject({ line: 2, text: 'boom 1', before: ['before'], after: ['after'] })
    expect(content.lines[0]?.spans).toEqual([{ from: 0, to: 4 }])
    expect(content.runs.map(({ buildId, result }) => [buildId, result])).toEqual([
      ['1', 'failure'],
      ['2', 'success'],
      ['3', 'failure'],
    ])
    expect(JSON.stringify(content)).not.toContain('ada')
  })

  test('stands beside today: late runs of its range, and what followed', async () => {
    const evidence = await frozen(asked('search=boom'))
    expect(evidence.content.counts).toEqual(then)
    await put(3, 'boom 7')
    now = NOON + 5 * DAY
    await put(-2, 'boom 8', { result: 'success' })
    const view = await viewOf(evidence)
    expect(view.evidence).toEqual(evidence)
    expect(view.now.columns).toEqual([{ lines: 4, runs: 3, failedRuns: 2 }])
    expect(view.now.since).toEqual({ lines: 1, runs: 1, failedRuns: 0 })
    expect(view.runs.map(({ text }) => text)).toEqual(['kept', 'kept'])
  })

  test('survives that its text is deleted: hits are kept, and it is said', async () => {
    const evidence = await frozen(asked('search=boom'))
    await store.maintain({ expireBefore: '2026-11-02' })
    const view = await viewOf(evidence)
    expect(view.now.columns).toEqual([{ lines: 3, runs: 2, failedRuns: 1 }])
    expect(view.now.notes).toEqual(['Logs of 1 of the 2 runs shown here have expired; their lines are kept here.'])
    expect(view.runs.map(({ text }) => text)).toEqual(['kept', 'expired'])
    expect(view.runs[1]?.lines[0]?.line.text).toBe('boom 0')
  })

  test('survives that its runs are read again, with other text', async () => {
    const evidence = await frozen(asked('search=boom'))
    await put(1, 'all is well')
    const view = await viewOf(evidence)
    expect(view.runs[0]?.lines.map(({ line }) => line.text)).toEqual(['boom 1', 'boom 9'])
    expect(view.now.columns).toEqual([{ lines: 1, runs: 1, failedRuns: 0 }])
  })

  test('survives a store that knows nothing of its runs', async () => {
    const evidence = await frozen(asked('search=boom'))
    const empty = createReferenceStore()
    await empty.putEvidence(evidence)
    ctx = { ...ctx, store: empty, searcher: createSearcher({ store: empty, threads: 2 }) }
    const view = await viewOf(evidence)
    expect(view.runs.map(({ text }) => text)).toEqual(['unknown', 'unknown'])
    expect(view.now.columns).toEqual([{ lines: 3, runs: 2, failedRuns: 1 }])
    expect(view.now.notes[0]).toMatch(/^Nothing is known any more of 2/)
    await ctx.searcher.close()
  })

  test('tells the bugs known for its lines, by regex and by hit, and lists it under them', async () => {
    const evidence = await frozen(asked('search=boom'))
    expect(evidence.signatures).toEqual(['boom'])
    expect(evidence.bugs).toEqual(['https://bugzilla.redhat.com/show_bug.cgi?id=7', 'bz7'])
    expect((await viewOf(evidence)).known).toEqual([
      { id: 'boom', title: 'It booms', bugs: ['https://bugzilla.redhat.com/show_bug.cgi?id=7'], lines: 2 },
    ])
    catalogue = catalogueOf('no such text')
    expect((await viewOf(evidence)).known).toMatchObject([{ id: 'boom', lines: 2 }])
  })

  test('one that yields to another leaves it the lines that both know', async () => {
    const evidence = await frozen(asked('search=boom'))
    catalogue = catalogueOf(
      'boom [01]',
      '}\n  - {id: any, title: Any, kind: per-run, regexes: [boom], yields_to: [boom]',
    )
    expect((await viewOf(evidence)).known.map(({ id, lines }) => [id, lines])).toEqual([
      ['any', 3],
      ['boom', 2],
    ])
    const narrow = await frozen(asked('search=boom+1'))
    expect((await viewOf(narrow)).known.map(({ id, lines }) => [id, lines])).toEqual([['boom', 1]])
  })

  test('nothing found is an answer too', async () => {
    const view = await viewOf(await frozen(asked('search=no+such+text')))
    expect(view.headline[0]).toBe('no such text: no line, in no run')
    expect(view.now.columns).toEqual([{ lines: 0, runs: 0, failedRuns: 0 }])
  })

  test.each([
    ['', 'QUERY_INVALID'],
    ['search=a(', 'REGEX_SYNTAX'],
  ])('%j is refused: %s', async (search, code) => {
    await expect(freeze(ctx, asked(search))).rejects.toMatchObject({ code })
  })
})

test('an evidence stays small, whatever the lines', async () => {
  const long = Array.from({ length: 300 }, (_, i) => `boom ${i} ${'\u{1f600}<>&'.repeat(2000)}`).join('\n')
  const run = makeRun({ path: 'logs/e2e/1', startedAt: NOON - DAY })
  await storeRun(store, run, { 'build-log.txt': Buffer.from(`${long}\n`) })
  const evidence = await frozen(asked('search=boom&context=15&groupBy=none'))
  const size = Buffer.byteLength(JSON.stringify(evidence))
  expect(size).toBeLessThan(300 * 1024)
  expect(size).toBeGreaterThan(200 * 1024)
  expect(evidence.content.counts).toMatchObject({ lines: 300, runs: 1 })
  expect(evidence.content.lines.length).toBeLessThan(200)
  expect(JSON.stringify(evidence).isWellFormed()).toBe(true)
})

describe('a signature', () => {
  beforeEach(async () => {
    await put(1, 'boom 1')
    await put(2, 'boom 0')
    await put(3, 'boom 5')
  })

  test('is frozen with its rules, and compared by them', async () => {
    const evidence = await frozen({ signature: 'boom' })
    expect(evidence.content).toMatchObject({
      asked: { kind: 'signature', signature: 'boom', title: 'It booms' },
      counts: { incidents: 2, lines: 2, runs: 2, failedRuns: 2, jobs: 1, pulls: 0 },
      definitions: [{ id: 'boom', regexes: ['boom [01]'] }],
    })
    expect(evidence.sentences.length).toBeGreaterThan(0)
    const { columns, since, notes } = (await viewOf(evidence)).now
    expect(columns).toEqual([{ incidents: 2, lines: 2, runs: 2, failedRuns: 2, rules: 'frozen' }])
    expect([since, notes]).toEqual([{ incidents: 0, runs: 0, failedRuns: 0 }, []])
  })

  test('that is edited is counted by its rules then and by those of today', async () => {
    const evidence = await frozen({ signature: 'boom' })
    catalogue = catalogueOf('boom 5')
    for (const [build, text] of [
      [1, 'boom 1'],
      [2, 'boom 0'],
      [3, 'boom 5'],
    ] as const)
      await put(build, text)
    await putDefinitions(store, { boom: { definition: catalogue.signatures[0]?.definition ?? '', since: 0 } })
    await store.maintain({ expireBefore: '2026-11-02' })
    const { columns, notes } = (await viewOf(evidence)).now
    expect(columns).toMatchObject([
      { rules: 'frozen', lines: 2, runs: 2, failedRuns: 2 },
      { rules: 'today', incidents: 1, lines: 1, runs: 1 },
    ])
    expect(notes[0]).toMatch(/edited since: both are shown/)
    expect((await frozen({ signature: 'boom' })).id).not.toBe(evidence.id)
  })

  test('that is edited, before the worker has looked for it, says so', async () => {
    const evidence = await frozen({ signature: 'boom' })
    await putDefinitions(store, { boom: { definition: catalogue.signatures[0]?.definition ?? '', since: 0 } })
    catalogue = catalogueOf('boom [05]')
    const { columns, notes } = (await viewOf(evidence)).now
    expect(columns).toMatchObject([{ rules: 'frozen', runs: 2 }])
    expect(notes).toEqual(['Its rules were edited; the worker has not looked for the new ones yet.'])
  })

  test('that is gone from the catalogue is looked for as it was', async () => {
    const evidence = await frozen({ signature: 'boom' })
    catalogue = { signatures: [], problems: [] }
    await put(1, 'boom 1')
    await put(4, 'boom 1')
    const { columns, notes } = (await viewOf(evidence)).now
    expect(columns).toMatchObject([{ rules: 'frozen', runs: 2, lines: 2 }])
    expect(notes[0]).toMatch(/in the catalogue no longer/)
    await expect(freeze(ctx, { signature: 'boom' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('whose runs are known here no longer is told by what was frozen', async () => {
    const evidence = await frozen({ signature: 'boom' })
    const empty = createReferenceStore()
    await empty.putEvidence(evidence)
    catalogue = { signatures: [], problems: [] }
    ctx = { ...ctx, store: empty, searcher: createSearcher({ store: empty, threads: 2 }) }
    expect((await viewOf(evidence)).now.columns).toEqual([{ rules: 'frozen', lines: 2, runs: 2, failedRuns: 2 }])
    await ctx.searcher.close()
  })

  test('that strikes again shows it', async () => {
    const evidence = await frozen({ signature: 'boom' })
    now = NOON + 3 * DAY
    await put(-2, 'boom 1', { result: 'success' })
    expect((await viewOf(evidence)).now.since).toEqual({ incidents: 1, runs: 1, failedRuns: 0 })
  })
})

describe('an incident', () => {
  test('is frozen, and shown with what followed, under its id for good', async () => {
    await put(1, 'boom 1')
    const [incident] = await store.incidents({ signature: 'boom' })
    const evidence = await frozen({ incident: incident?.id ?? '' })
    expect(evidence).toMatchObject({
      range: { rolling: false },
      content: { asked: { kind: 'incident', incident: incident?.id }, counts: { incidents: 1, lines: 1, runs: 1 } },
    })
    now = NOON + 3 * DAY
    await put(-2, 'boom 1')
    const view = await viewOf(evidence)
    expect(view.now).toMatchObject({
      columns: [{ rules: 'frozen', incidents: 1, runs: 1, failedRuns: 1 }],
      since: { incidents: 1, runs: 1 },
    })
    expect(view.source).toBe(`/incidents/${incident?.id}`)
    catalogue = catalogueOf('other')
    await putDefinitions(store, { boom: { definition: catalogue.signatures[0]?.definition ?? '', since: 0 } })
    await put(1, 'boom 1')
    expect((await viewOf(evidence)).now.columns).toMatchObject([
      { rules: 'frozen', runs: 1 },
      { rules: 'today', runs: 0 },
    ])
  })
})

test.each(['', '0123456789', 'ABCDEFGHJK', '../../etc/passwd', 'x'.repeat(1e4), "'; DROP TABLE evidence"])(
  '%j is no evidence',
  async (id) => {
    await expect(evidenceView(ctx, id, ORIGIN)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  },
)

test('hours are read as UTC, and links are absolute', async () => {
  await put(1, 'boom 1')
  const evidence = await frozen(asked('search=boom'))
  const view = await viewOf(evidence)
  expect(view.headline[1]).toContain('Frozen 3 Nov 2026 12:00 UTC by query; runs of 20 Oct 2026 12:00 to 3 Nov')
  expect(view.texts.plain.endsWith(`\n\nhttps://prowl.example.org/e/${evidence.id}`)).toBe(true)
  expect(view.trackers.map(({ name }) => name)).toContain('Bugzilla')
})
