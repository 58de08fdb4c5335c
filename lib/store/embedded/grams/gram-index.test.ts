import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Block, Candidate } from '../../../model/block.ts'
import type { Plan } from '../../../model/plan.ts'
import { logName, putSample, SAMPLE_TIME, sampleRun } from '../../../testing/records.ts'
import { GRAM_SPACE, gramsOf } from '../../../text/grams.ts'
import { withGrams } from '../../../text/index-text.ts'
import { openStore } from '../../open.ts'
import { openHere } from '../../open-here.ts'
import { createReferenceStore } from '../../reference.ts'
import type { CandidateFilter, Page, Store } from '../../store.ts'
import { mergeable } from './merge.ts'
import type { Segment } from './segments.ts'

const DAY = 86_400_000
const WORDS = ['heartbeat', 'lease', 'EOF', 'route to host', 'panic', 'É', 'sandbox', 'x\u{212a}x', 'timeout waiting']

let root: string
let count = 0
let dataDir: string
let store: Store
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'prowl-index-'))
  await openAnew()
})
afterEach(async () => {
  await store.close()
  rmSync(root, { recursive: true, force: true })
})

async function openAnew(): Promise<void> {
  dataDir = join(root, String(++count))
  store = await openStore({ dataDir, mode: 'write' })
}

/** Two in three come with their grams, as ingest sends them. */
function blocksOf(texts: readonly string[]): Block[] {
  return texts.map((text, i) => {
    const bytes = Buffer.from(text)
    const block = { firstLine: i + 1, lineCount: 1, bytes, ascii: bytes.length === text.length }
    return i % 3 === 0 ? block : withGrams(block)
  })
}

/** Texts of `count` blocks; the last names the block, so that its grams are in few others. */
function texts(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, i) => {
    const word = (n: number) => WORDS[(i * n + count) % WORDS.length]
    return `common ${i % 3 === 0 ? 'odd' : 'even more'} ${word(1)} ${word(5)} ${name}${i.toString(36)}z`
  })
}

/** In use after all that can be has been collected. */
function heapMib(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 2 ** 20
}

function days(): string[] {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /days.*\.sqlite$/.test(name)).map((name) => join(dataDir, name))
}

function change(sql: string): void {
  for (const file of days()) {
    const db = new DatabaseSync(file)
    db.exec(sql)
    db.close()
  }
}

function segments(): number[] {
  return days().flatMap((file) => {
    const db = new DatabaseSync(file, { readOnly: true })
    const rows = db.prepare('SELECT blocks FROM segments ORDER BY first').all()
    db.close()
    return rows.map(({ blocks }) => Number(blocks))
  })
}

async function found(of: Store, filter: CandidateFilter, limit = 50) {
  const items: Candidate[] = []
  let considered = 0
  for (let page: Page | undefined = { limit }; page; ) {
    const read = await of.candidates(filter, page)
    items.push(...read.items)
    considered += read.considered
    page = read.next && { limit, after: read.next }
  }
  return { places: items.map(({ path, log, firstLine }) => `${path} ${log} ${firstLine}`), considered }
}

const literal = (text: string): Plan => {
  const of = Array.from(gramsOf(text), (gram): Plan => ({ kind: 'gram', gram }))
  return of.length === 1 && of[0] ? of[0] : { kind: 'and', of }
}

const leaf = fc.oneof(
  fc.constantFrom(...WORDS, 'common', 'odd', 'even', 'more', 'a1z', 'b2z', 'nowhere', 'heartbeat lease').map(literal),
  fc.nat(GRAM_SPACE - 1).map((gram): Plan => ({ kind: 'gram', gram })),
  fc.constantFrom<Plan>({ kind: 'all' }, { kind: 'none' }),
)
const plan = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc
      .record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('plan'), { minLength: 1, maxLength: 3 }),
      })
      .map((part): Plan => part),
  ),
})).plan

/** Damages that a search and the writer must notice, and a killed writer; or nothing but writing. */
const DAMAGE = {
  'a list': 'UPDATE postings SET data = zeroblob(length(data)) WHERE id % 2 = 0',
  'a cut list': 'UPDATE postings SET data = substr(data, 1, length(data) / 2)',
  'a lost list': 'DELETE FROM postings WHERE id = (SELECT max(id) FROM postings)',
  'a moved list': 'UPDATE postings SET id = id + 1 WHERE id = (SELECT max(id) FROM postings)',
  ids: "UPDATE segments SET ids = CAST(ids || x'00' AS BLOB)",
  'a range': 'UPDATE segments SET last = last + 1000, first = 1',
  'grams that were others': 'UPDATE segments SET crc = crc + 1',
  'a lost segment': 'DELETE FROM segments WHERE id = (SELECT max(id) FROM segments)',
} as const

type Step =
  | { readonly what: 'write'; readonly run: number; readonly day: number; readonly count: number }
  | {
      readonly what: 'maintain' | 'expire' | 'reopen' | keyof typeof DAMAGE
    }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('write' as const),
      run: fc.nat(5),
      day: fc.nat(1),
      count: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 60, max: 150 })),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ what: 'maintain' as const }) },
  { weight: 2, arbitrary: fc.constantFrom('expire' as const, 'reopen' as const).map((what) => ({ what })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...(Object.keys(DAMAGE) as (keyof typeof DAMAGE)[])).map((what) => ({ what })),
  },
)

async function apply(step: Step, reference: Store, salt: number): Promise<void> {
  switch (step.what) {
    case 'write': {
      const run = sampleRun({ path: `logs/j/${step.run}`, time: SAMPLE_TIME + step.day * DAY })
      const logs = { 'build-log.txt': blocksOf(texts(step.count, 'a')), x: blocksOf(texts(1, `b${salt}`)) }
      for (const each of [store, reference]) await putSample(each, run, logs)
      return
    }
    case 'maintain':
      for (const each of [store, reference]) await each.maintain()
      return
    case 'expire':
      for (const each of [store, reference]) await each.maintain({ expireBefore: '2026-11-04' })
      return
    case 'reopen': {
      // What was appended and never published is lost with the process.
      const version = await store.begin(sampleRun({ path: 'logs/j/lost' }))
      await store.append(version, logName('x'), blocksOf(texts(70, 'c')))
      await store.close()
      store = await openStore({ dataDir, mode: 'write' })
      return
    }
    default:
      change(DAMAGE[step.what])
  }
}

describe('whatever was written, sealed, merged, replaced, lost or damaged', () => {
  test('a block that satisfies a plan is a candidate, in order, and all blocks are considered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.array(plan, { minLength: 3, maxLength: 6 }),
        async (steps, plans) => {
          await store.close()
          await openAnew()
          const reader = await openStore({ dataDir, mode: 'read' })
          const reference = createReferenceStore()
          try {
            for (const [salt, each] of steps.entries()) {
              if (each.what in DAMAGE && days().length === 0) continue
              await apply(each, reference, salt)
              for (const one of plans) {
                const all = (await found(reference, {})).places
                const wanted = await found(reference, { plan: one })
                for (const narrowed of [await found(store, { plan: one }), await found(reader, { plan: one }, 3)]) {
                  expect(narrowed.considered).toBe(wanted.considered)
                  const given = new Set(narrowed.places)
                  expect(wanted.places.filter((place) => !given.has(place))).toEqual([])
                  expect(all.filter((place) => given.has(place))).toEqual(narrowed.places)
                }
              }
            }
          } finally {
            await reader.close()
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('segments', () => {
  const run = sampleRun()
  const path = (block: string) => ({ plan: literal(block) })

  test('are sealed while text is written, merged when they are many, and all merged when their day is quiet', async () => {
    for (let i = 0; i < 17; i++) {
      const each = sampleRun({ path: `logs/j/${i}` })
      await putSample(store, each, { 'build-log.txt': blocksOf(texts(560, `r${i}b`)) })
    }
    expect(segments()).toEqual([16 * 512, 512, 512])
    expect((await store.status()).index).toEqual({ blocks: 17 * 560, indexed: 18 * 512, segments: 3, quarantined: 0 })
    expect((await found(store, path('r7b5cz'))).places).toContain('logs/j/7 build-log.txt 193')
    await store.maintain()
    expect(segments()).toEqual([16 * 512, 512, 512, 304])
    await store.maintain()
    expect(segments()).toEqual([16 * 512, 1328])
    const { places, considered } = await found(store, path('r7b5cz'))
    expect(places).toEqual(['logs/j/7 build-log.txt 193'])
    expect(considered).toBe(17 * 560)
  })

  test('that were replaced are left out of what is merged', async () => {
    for (const salt of ['a', 'b', 'c']) {
      await putSample(store, run, { 'build-log.txt': blocksOf(texts(10, salt)) })
      await store.maintain()
    }
    await store.maintain()
    expect(segments()).toEqual([10])
    expect((await found(store, path('c3z'))).places).toEqual(['logs/periodic-e2e/1 build-log.txt 4'])
  })

  test.each(Object.entries(DAMAGE).filter(([name]) => name !== 'a lost segment'))(
    'that are damaged (%s) are scanned and told, and made anew by the next maintain',
    async (_, sql) => {
      await putSample(store, run, { 'build-log.txt': blocksOf(texts(70, 'a')) })
      await store.maintain()
      const reader = await openStore({ dataDir, mode: 'read' })
      expect((await found(reader, path('a1z'))).places).toHaveLength(1)
      change(sql)
      for (const gram of gramsOf(texts(70, 'a').join('\n')).slice(-200))
        await found(reader, { plan: { kind: 'gram', gram } })
      expect((await found(reader, path('a1z'))).places).toHaveLength(70)
      expect((await reader.status()).index).toEqual({ blocks: 70, indexed: 0, segments: 1, quarantined: 1 })
      await store.maintain()
      expect((await store.status()).index).toEqual({ blocks: 70, indexed: 70, segments: 1, quarantined: 0 })
      expect((await found(reader, path('a1z'))).places).toHaveLength(1)
      expect((await reader.status()).index).toMatchObject({ segments: 1, quarantined: 0 })
      await reader.close()
    },
  )

  test('leave out a block that can not be read, so that a search comes upon it', async () => {
    await putSample(store, run, { 'build-log.txt': blocksOf(texts(9, 'a')) })
    change('UPDATE bytes SET crc = crc + 1 WHERE id = 5')
    // The writer that wrote them holds their grams and would not read them again.
    await store.close()
    store = await openStore({ dataDir, mode: 'write' })
    await store.maintain()
    await store.maintain()
    expect(segments()).toEqual([4, 4])
    expect((await store.status()).index).toMatchObject({ blocks: 9, indexed: 8 })
    expect((await found(store, path('a1z'))).places).toEqual([2, 5].map((line) => `${run.path} build-log.txt ${line}`))
  })

  test('few candidates are found without going through the logs', async () => {
    const runs = Array.from({ length: 30 }, (_, i) => sampleRun({ path: `logs/j/${i}`, time: SAMPLE_TIME - i * 1000 }))
    for (const [i, each] of runs.entries()) await putSample(store, each, { x: blocksOf(texts(3, `r${i}b`)) })
    await store.maintain()
    // Were the log's blocks listed, this would be an error: a text that the catalogue names has none.
    change(
      "DELETE FROM blocks WHERE text <> (SELECT id FROM texts WHERE path = 'logs/j/7'); DELETE FROM texts WHERE path <> 'logs/j/7'",
    )
    expect((await found(store, path('r7b1z'))).places).toEqual(['logs/j/7 x 2'])
    await expect(found(store, {})).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  test('what is kept of many plans is bounded, in the store’s own heap', async () => {
    await putSample(store, run, Object.fromEntries(texts(1500, 'a').map((text, i) => [`${i}.log`, blocksOf([text])])))
    await store.maintain()
    const reader = await openHere({ dataDir, mode: 'read' })
    try {
      const before = heapMib()
      for (let i = 0; i < 250; i++) {
        const plan: Plan = { kind: 'or', of: [literal('common'), literal(`never${i}`)] }
        expect((await reader.candidates({ plan }, { limit: 1 })).items).toHaveLength(1)
      }
      expect(heapMib() - before).toBeLessThan(100)
    } finally {
      await reader.close()
    }
  })

  test('a page that finds nothing in many logs says where to go on', async () => {
    const each = (i: number) => sampleRun({ path: `logs/j/${i}`, time: SAMPLE_TIME - i * 1000 })
    const logs = Object.fromEntries(
      Array.from({ length: 700 }, (_, i) => [`${i}.log`, blocksOf(['common x', 'rare y'])]),
    )
    for (let i = 0; i < 3; i++) await putSample(store, each(i), logs)
    await putSample(store, each(3), { x: blocksOf(texts(6100, 'a')) })
    await store.maintain()
    const odd: Plan = { kind: 'and', of: [literal('common'), literal('odd')] }
    const first = await store.candidates({ plan: odd }, { limit: 5 })
    expect(first).toMatchObject({ items: [], considered: 4000, next: { path: 'logs/j/2' } })
    const { places, considered } = await found(store, { plan: odd })
    expect(places).toHaveLength(2034)
    expect(considered).toBe(3 * 1400 + 6100)
  })
})

describe('a directory of layout 1', () => {
  /** Takes back what layouts 2 and 3 added. */
  async function goBack(): Promise<void> {
    await store.close()
    change(`DROP TABLE segments; DROP TABLE postings; DROP INDEX blocks_by_id; ALTER TABLE texts DROP COLUMN bucket;
      ALTER TABLE texts DROP COLUMN path; PRAGMA user_version = 1`)
    const db = new DatabaseSync(join(dataDir, 'catalogue.sqlite'))
    db.exec(`ALTER TABLE logs DROP COLUMN blocks; DROP INDEX runs_by_file; CREATE INDEX runs_by_file ON runs(file);
      DROP TABLE exposed_runs; DROP INDEX runs_by_failure; ALTER TABLE runs DROP COLUMN failure;
      PRAGMA user_version = 1`)
    db.close()
  }

  test('is read as it is, and brought up to date and sealed by its writer', async () => {
    await putSample(store, sampleRun(), { x: blocksOf(texts(70, 'a')) })
    await goBack()
    const reader = await openStore({ dataDir, mode: 'read' })
    const plan = literal('a1z')
    expect((await found(reader, { plan })).places).toHaveLength(70)
    expect((await reader.status()).index).toEqual({ blocks: 70, indexed: 0, segments: 0, quarantined: 0 })
    store = await openStore({ dataDir, mode: 'write' })
    expect((await found(reader, { plan })).places).toHaveLength(70)
    await store.maintain()
    for (const each of [store, reader]) expect((await found(each, { plan })).places).toHaveLength(1)
    await putSample(store, sampleRun({ path: 'logs/j/2' }), { x: blocksOf(['new a1z']) })
    expect((await found(reader, { plan })).places).toHaveLength(2)
    await reader.close()
  })
})

test.each([
  ['none', [], 2, undefined],
  ['one', [9], 2, undefined],
  ['two of a class', [9, 9], 2, [9, 9]],
  ['two of different classes', [300, 9], 2, undefined],
  ['smaller ones between', [300, 2, 300, 1], 2, [300, 2, 300, 1]],
  ['the smallest class first', [300, 2, 2, 300], 2, [2, 2]],
  ['not enough of a class', Array(15).fill(9), 16, undefined],
  ['enough of a class', Array(16).fill(9), 16, Array(16).fill(9)],
  ['no more than a segment may have', [20_000, 20_000], 2, undefined],
])('what is merged of %s', (_, sizes: number[], fanout, wanted) => {
  let last = 0
  const given = sizes.map((blocks, id): Segment => {
    const first = last + 1
    last += blocks
    return { id, first, last, blocks, ids: new Uint8Array() }
  })
  expect(mergeable(given, fanout)?.map(({ blocks }) => blocks)).toEqual(wanted)
  const apart = given.map((each) => ({ ...each, first: each.first + 1 }))
  expect(mergeable(apart, 2)).toBeUndefined()
})
