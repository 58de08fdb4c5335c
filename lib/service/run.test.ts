import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Hit } from '../model/hit.ts'
import { createSearcher, type Searcher } from '../search/engine.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { type LogBytes, storeRun } from '../testing/stored-run.ts'
import { HOUR, makeHit, makeRun } from '../testing/values.ts'
import type { Context } from './context.ts'
import { findRun, rangeShown, rawLog, runPage, runView } from './run.ts'

const TIME = Date.UTC(2026, 10, 3)
const RUN = makeRun({ startedAt: TIME - HOUR, path: 'logs/e2e/8664' })

async function contextWith(logs: LogBytes, hits: readonly Hit[] = []): Promise<Context> {
  const store = createReferenceStore()
  await storeRun(store, RUN, logs, hits)
  return makeContext(store, [], TIME)
}

function numbered(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join(''))
}

function hitAt(log: string, line: number): Hit {
  return makeHit({ at: TIME, log, line })
}

describe('the lines shown', () => {
  test.each([
    ['the anchor in the middle', 1_000, { line: 500 }, undefined, [401, 600]],
    ['the first hit without an anchor', 1_000, {}, 300, [201, 400]],
    ['the end without either', 1_000, {}, undefined, [801, 1_000]],
    ['the start', 1_000, { line: 3 }, undefined, [1, 200]],
    ['the last line', 1_000, { line: 1_000 }, undefined, [801, 1_000]],
    ['a line past the end', 1_000, { line: 5_000 }, undefined, [801, 1_000]],
    ['a short log', 10, { line: 5 }, undefined, [1, 10]],
    ['a range', 1_000, { line: 500, to: 520 }, undefined, [411, 610]],
    ['a range longer than the window', 5_000, { line: 500, to: 900 }, undefined, [500, 900]],
    ['at most 1,000 lines', 5_000, { line: 500, to: 4_000 }, undefined, [500, 1_499]],
    ['a range backwards', 1_000, { line: 500, to: 4 }, undefined, [401, 600]],
  ] as const)('%s', (_, lines, anchor, hit, [from, to]) => {
    expect(rangeShown(lines, anchor, hit)).toEqual({ from, to })
  })

  test('hold the anchor and stay in the log, whatever is asked', () => {
    const number = fc.integer({ min: 1, max: 3_000 })
    const option = fc.option(number, { nil: undefined })
    fc.assert(
      fc.property(number, option, option, option, (lines, line, to, hit) => {
        const shown = rangeShown(lines, { line, to }, hit)
        const anchor = Math.min(line ?? hit ?? lines, lines)
        expect(shown.from).toBeGreaterThanOrEqual(1)
        expect(shown.to).toBeLessThanOrEqual(lines)
        expect(anchor).toBeGreaterThanOrEqual(shown.from)
        expect(anchor).toBeLessThanOrEqual(shown.to)
        expect(shown.to - shown.from).toBeLessThan(1_000)
      }),
    )
  })
})

describe('a run', () => {
  test('unknown: NOT_FOUND', async () => {
    await expect(runView(makeContext(createReferenceStore(), [], TIME), RUN)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('is shown at its first hit, with the lines as they were', async () => {
    const logs = {
      'build-log.txt': numbered(900),
      'lease.log': Buffer.from('\u001b[31mred\u001b[0m\r\n\xff bad\n', 'latin1'),
    }
    const view = await runView(await contextWith(logs, [hitAt('lease.log', 2)]), RUN)
    expect(view?.window).toEqual({
      log: expect.objectContaining({ name: 'lease.log' }),
      from: 1,
      to: 2,
      lines: [
        { number: 1, text: '\u001b[31mred\u001b[0m\r', cut: false },
        { number: 2, text: '\ufffd bad', cut: false },
      ],
      hitLines: [2],
    })
    expect(view?.hits[0]?.links.prowl).toContain('log=lease.log&line=2')
  })

  test('is shown at the anchor, also where blocks meet', async () => {
    const bytes = numbered(20_000)
    const view = await runView(await contextWith({ 'build-log.txt': bytes }), RUN, {
      log: 'build-log.txt',
      line: 9_000,
    })
    expect(view?.window?.lines).toEqual(
      Array.from({ length: 200 }, (_, index) => ({ number: 8_901 + index, text: `line ${8_901 + index}`, cut: false })),
    )
  })

  test('shows 8 KiB of a long line and the lines after it', async () => {
    const bytes = Buffer.from(`a\n${'x'.repeat(200_000)}\nb\n`)
    const view = await runView(await contextWith({ 'build-log.txt': bytes }), RUN)
    expect(view?.window?.lines.map(({ number, text, cut }) => [number, text.length, cut])).toEqual([
      [1, 1, false],
      [2, 8_192, true],
      [3, 1, false],
    ])
  })

  test('whose text expired keeps its hits', async () => {
    const ctx = await contextWith({ 'build-log.txt': numbered(3) }, [hitAt('build-log.txt', 2)])
    await ctx.store.maintain({ expireBefore: '2026-11-04' })
    const view = await runView(ctx, RUN)
    expect(view).toMatchObject({ expired: true, hits: [{ hit: { line: 2 } }] })
    expect(view?.window).toBeUndefined()
    await expect(rawLog(ctx, RUN, 'build-log.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is found by its build id', async () => {
    const ctx = await contextWith({ 'build-log.txt': numbered(1) })
    expect((await findRun(ctx, '8664'))?.path).toBe(RUN.path)
    expect(await findRun(ctx, '8665')).toBeUndefined()
    expect(await findRun(ctx, "8664' OR 1=1")).toBeUndefined()
  })
})

describe('finding in a run', () => {
  const logs = {
    'build-log.txt': numbered(1_000),
    'lease.log': Buffer.from(`\u001b[31mred\u001b[0m herring\n${'x'.repeat(3_000)} herring\n`),
  }
  const searchers: Searcher[] = []
  let ctx: Context
  beforeAll(async () => {
    const plain = await contextWith(logs, [hitAt('build-log.txt', 500)])
    const searcher = createSearcher({ store: plain.store, threads: 2 })
    searchers.push(searcher)
    ctx = { ...plain, searcher }
  })
  afterAll(async () => {
    await Promise.all(searchers.map((each) => each.close()))
  })

  test('counts the lines that match, marks those of the window, and names the nearest beyond it', async () => {
    const view = await runView(ctx, RUN, { log: 'build-log.txt', line: 500, find: 'line \\d*00$' })
    expect(view.window).toMatchObject({ from: 401, to: 600 })
    expect(view.find).toMatchObject({
      pattern: 'line \\d*00$',
      lines: 10,
      logs: [{ log: 'build-log.txt', lines: 10 }],
      marks: [
        { line: 500, spans: [{ from: 0, to: 8 }] },
        { line: 600, spans: [{ from: 0, to: 8 }] },
      ],
      previous: 400,
      next: 700,
      partial: [],
    })
  })

  test('opens the first line that matches where none is named, in another log where the usual one has none', async () => {
    const view = await runView(ctx, RUN, { find: 'line 42\\b' })
    expect([view.window?.log.name, view.find?.marks.map(({ line }) => line)]).toEqual(['build-log.txt', [42]])
    const other = await runView(ctx, RUN, { find: 'herring' })
    expect(other.window?.log.name).toBe('lease.log')
    // Escape codes are no part of a line, and a long one is told whole.
    expect(other.find?.marks).toMatchObject([
      { line: 1, spans: [{ from: 4, to: 11 }] },
      { line: 2, spans: [{ from: 3_001, to: 3_008 }] },
    ])
    const named = await runView(ctx, RUN, { log: 'build-log.txt', find: 'herring' })
    expect(named).toMatchObject({ window: { log: { name: 'build-log.txt' } }, find: { marks: [], lines: 2 } })
  })

  test('a pattern that does not parse: refused; the page shows the run all the same', async () => {
    await expect(runView(ctx, RUN, { find: 'a(' })).rejects.toMatchObject({ code: 'REGEX_SYNTAX' })
    const { view, error } = await runPage(ctx, RUN, { find: 'a(' })
    expect(error).toMatchObject({ code: 'REGEX_SYNTAX', position: expect.any(Number), pattern: { text: 'a(' } })
    expect(view.window?.lines).toHaveLength(200)
    expect(view.find).toBeUndefined()
  })
})

test("a log's raw text is the bytes that were read, windows and all, and so is each range of them", async () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\u001b[31m', '\u0000').map((text) => Buffer.from(text)),
    fc.constantFrom(0xff, 0xe2, 0x80).map((byte) => Buffer.of(byte)),
    fc
      .tuple(fc.constantFrom('b', 'é', '😀€'), fc.integer({ min: 1, max: 200_000 }))
      .map(([text, size]) => Buffer.alloc(size, text)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), async (pieces, a, b) => {
      const bytes = Buffer.concat(pieces)
      const raw = await rawLog(await contextWith({ 'build-log.txt': bytes }), RUN, 'build-log.txt')
      expect((await gathered(raw.bytes())).equals(bytes)).toBe(true)
      const [first = 0, last = 0] = [a % bytes.length, b % bytes.length].sort((x, y) => x - y)
      expect((await gathered(raw.bytes({ first, last }))).equals(bytes.subarray(first, last + 1))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('a range of a long log is read from where it lies', async () => {
  const bytes = numbered(60_000)
  const ctx = await contextWith({ 'build-log.txt': bytes })
  const read = vi.spyOn(ctx.store, 'read')
  const raw = await rawLog(ctx, RUN, 'build-log.txt')
  const [first, last] = [bytes.length - 10, bytes.length - 1]
  expect((await gathered(raw.bytes({ first, last }))).toString()).toBe(bytes.subarray(first).toString())
  expect(read.mock.calls.flatMap(([refs]) => refs)).toHaveLength(1)
})

async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
