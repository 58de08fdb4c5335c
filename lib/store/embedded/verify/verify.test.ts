import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repair, verify } from '../../../service/verify.ts'
import { sampleEvidence } from '../../../testing/evidence.ts'
import { blocksOf, putSample, SAMPLE_TIME, sampleHit, sampleRun } from '../../../testing/records.ts'
import { openStore } from '../../open.ts'
import { answers, apply, operation } from '../../same-answers.ts'
import type { FaultCode } from './fault.ts'
import { verifyDirectory } from './verify.ts'

const root = mkdtempSync(join(tmpdir(), 'prowl-verify-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const fresh = () => join(root, String(++count))

const run = sampleRun()
const other = sampleRun({ path: 'logs/j/2', time: run.time + 1 })
const later = sampleRun({ path: 'logs/j/3', time: run.time + 86_400_000 })

const whole = fresh()
/** Runs of two days with all that a run has, and a sealed index. */
beforeAll(async () => {
  const store = await openStore({ dataDir: whole, mode: 'write' })
  for (const each of [run, other, later]) {
    const texts = { 'build-log.txt': blocksOf(['one', 'two', `${each.path} three`]) }
    const exposures = [{ signature: 's', from: each.time - 9e6, to: each.time }]
    await putSample(store, each, texts, { hits: [sampleHit(each)], exposures })
  }
  await store.maintain()
  await store.close()
})

function filled(): string {
  const dataDir = fresh()
  cpSync(whole, dataDir, { recursive: true })
  return dataDir
}

function day(dataDir: string, date = '2026-11-03'): string {
  const name = readdirSync(join(dataDir, 'days')).find((each) => each.startsWith(date) && each.endsWith('.sqlite'))
  return join(dataDir, 'days', name ?? '')
}

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

/** Overwrites a page of the file, past its header. */
function spoil(file: string, page: number, size: number): void {
  const bytes = readFileSync(file)
  bytes.fill(0xff, page * size, (page + 1) * size)
  writeFileSync(file, bytes)
}

const codes = (faults: readonly { readonly code: FaultCode }[]) => [...new Set(faults.map(({ code }) => code))].sort()

test('whatever was written is sound, and looking at it changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 20 }), async (done) => {
      const dataDir = fresh()
      const store = await openStore({ dataDir, mode: 'write' })
      for (const each of done) await apply(store, each)
      const before = await answers(store, [{ filter: {}, limit: 9 }])
      expect((await verifyDirectory(dataDir)).faults).toEqual([])
      expect(await answers(store, [{ filter: {}, limit: 9 }])).toEqual(before)
      await store.close()
    }),
    { numRuns: 25, interruptAfterTimeLimit: 50_000 },
  )
})

test('it tells what it looked at, and how far it is', async () => {
  const seen: [number, number][] = []
  const report = await verify(filled(), (done, total) => seen.push([done, total]))
  expect(report).toMatchObject({
    faults: [],
    leftovers: 0,
    checked: { files: 3, runs: 3, hits: 3, blocks: 6, segments: 2, evidence: 0 },
  })
  expect(seen.length).toBeGreaterThan(2)
  for (const [done, total] of seen) expect(done).toBeLessThanOrEqual(total)
})

interface Damage {
  readonly what: string
  readonly code: FaultCode
  readonly damage: (dataDir: string) => void
  /** What a repair leaves: nothing, faults that wait for the worker, or the fault itself. */
  readonly left: 'nothing' | 'waiting' | 'all'
}
const inDay = (sql: string) => (dataDir: string) => change(day(dataDir), sql)
const inCatalogue = (sql: string) => (dataDir: string) => change(join(dataDir, 'catalogue.sqlite'), sql)

const DAMAGES: readonly Damage[] = [
  {
    what: 'a block’s bytes',
    code: 'BLOCK_DAMAGED',
    damage: inDay('UPDATE bytes SET zstd = zeroblob(length(zstd)) WHERE id = 2'),
    left: 'waiting',
  },
  { what: 'lost bytes', code: 'BLOCK_DAMAGED', damage: inDay('DELETE FROM bytes WHERE id = 1'), left: 'waiting' },
  {
    what: 'a lost block',
    code: 'TEXT_MISSING',
    damage: inDay('DELETE FROM blocks WHERE id = 1'),
    left: 'waiting',
  },
  {
    what: 'a lost text',
    code: 'TEXT_MISSING',
    damage: inDay('DELETE FROM blocks WHERE text = 1; DELETE FROM texts WHERE id = 1'),
    left: 'waiting',
  },
  {
    what: 'a list of the index',
    code: 'INDEX_DAMAGED',
    damage: inDay('UPDATE postings SET data = zeroblob(length(data))'),
    left: 'nothing',
  },
  { what: 'a segment', code: 'INDEX_DAMAGED', damage: inDay('UPDATE segments SET last = last + 1'), left: 'nothing' },
  { what: 'a missing day file', code: 'FILE_MISSING', damage: (dataDir) => rmSync(day(dataDir)), left: 'nothing' },
  {
    what: 'a day file whose pages are lost',
    code: 'FILE_DAMAGED',
    damage: (dataDir) => spoil(day(dataDir), 2, 2048),
    left: 'nothing',
  },
  {
    what: 'a day file that is none',
    code: 'FILE_DAMAGED',
    damage: (dataDir) => writeFileSync(day(dataDir), 'hello '.repeat(999)),
    left: 'nothing',
  },
  {
    what: 'a rollup',
    code: 'SUM_WRONG',
    damage: inCatalogue("UPDATE rollups SET bytes = bytes + 1 WHERE kind = 'any'"),
    left: 'nothing',
  },
  { what: 'a lost rollup', code: 'SUM_WRONG', damage: inCatalogue('DELETE FROM rollups'), left: 'nothing' },
  {
    what: 'an hour watched',
    code: 'SUM_WRONG',
    damage: inCatalogue('UPDATE exposure_hours SET runs = runs + 1'),
    left: 'nothing',
  },
  {
    what: 'exposed runs of nothing',
    code: 'SUM_WRONG',
    damage: inCatalogue("INSERT INTO exposed_runs VALUES ('x', '2026-11-03', 'j', 'periodic', 'failure', '', '', 2)"),
    left: 'nothing',
  },
  {
    what: 'bytes of a day',
    code: 'SUM_WRONG',
    damage: inCatalogue('UPDATE files SET bytes = 0'),
    left: 'nothing',
  },
  {
    what: 'a doubled hit',
    code: 'HIT_DOUBLED',
    damage: inCatalogue(
      'INSERT INTO hits(run, signature, time, bucket, path, log, line, latest, record) SELECT run, signature, time, bucket, path, log, line, latest, record FROM hits LIMIT 1',
    ),
    left: 'nothing',
  },
  {
    what: 'a track of no run',
    code: 'ROW_LOST',
    damage: inCatalogue("INSERT INTO tracks(run, signature, record) VALUES (999, 's', '{}')"),
    left: 'nothing',
  },
  {
    what: 'a run that its record denies',
    code: 'ROW_DAMAGED',
    damage: inCatalogue(`UPDATE hits SET line = 7 WHERE run = (SELECT id FROM runs WHERE path = '${run.path}')`),
    left: 'all',
  },
]

describe('damage is found, and mended where it can be', () => {
  test.each(DAMAGES)('$what', async ({ code, damage, left }) => {
    const dataDir = filled()
    damage(dataDir)
    const found = await verify(dataDir)
    expect(codes(found.faults)).toEqual([code])
    const after = await repair(dataDir, found, { now: SAMPLE_TIME })
    if (left === 'all') expect(after.faults).toEqual(found.faults)
    else if (left === 'nothing') expect(after.faults).toEqual([])
    else for (const fault of after.faults) expect(fault).toMatchObject({ code, waiting: true })
    expect((await repair(dataDir, after, { now: SAMPLE_TIME })).faults).toEqual(after.faults)
    const store = await openStore({ dataDir, mode: 'read' })
    const { runs, hits, index } = await store.status()
    expect([runs.failure, hits]).toEqual([3, 3])
    expect(index).toMatchObject({ quarantined: 0 })
    const lost = ['BLOCK_DAMAGED', 'TEXT_MISSING', 'FILE_MISSING', 'FILE_DAMAGED'].includes(code)
    expect((await store.run(run))?.fingerprint.startsWith('unread:')).toBe(lost)
    const { items } = await store.problems({ limit: 9 })
    expect(items.every((problem) => problem.code === 'STORE_CORRUPT')).toBe(true)
    expect(items.length > 0).toBe(lost)
    await store.close()
  })

  test('indices of a day file are made anew, and its text stays', async () => {
    const dataDir = filled()
    const file = day(dataDir)
    const db = new DatabaseSync(file)
    const rootpage = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'blocks_by_id'").get()?.rootpage
    db.close()
    const bytes = readFileSync(file)
    // The index's cells are counted as none.
    bytes.writeUInt16BE(0, (Number(rootpage) - 1) * 2048 + 3)
    writeFileSync(file, bytes)
    const found = await verify(dataDir)
    expect(codes(found.faults)).toEqual(['FILE_DAMAGED'])
    expect((await repair(dataDir, found, { now: SAMPLE_TIME })).faults).toEqual([])
    expect(existsSync(`${file}.damaged`)).toBe(false)
    const store = await openStore({ dataDir, mode: 'read' })
    expect(await store.run(run)).toMatchObject({ expired: false, fingerprint: 'f1' })
    await store.close()
  })

  test('a damaged day file is put aside, never deleted', async () => {
    const dataDir = filled()
    const file = day(dataDir)
    writeFileSync(file, 'hello '.repeat(999))
    await repair(dataDir, await verify(dataDir), { now: SAMPLE_TIME })
    expect(readFileSync(`${file}.damaged`, 'utf8')).toMatch(/^hello/)
    const store = await openStore({ dataDir, mode: 'write' })
    await store.maintain()
    await store.close()
    expect(existsSync(`${file}.damaged`)).toBe(true)
  })

  test('evidence that is not what was frozen is told, and left', async () => {
    const dataDir = filled()
    const reader = await openStore({ dataDir, mode: 'read' })
    await reader.putEvidence(sampleEvidence())
    await reader.close()
    const { faults } = await verify(dataDir)
    expect(codes(faults)).toEqual(['EVIDENCE_DAMAGED'])
    expect((await repair(dataDir, { ...(await verify(dataDir)) }, { now: 1 })).faults).toEqual(faults)
  })

  test('a catalogue that SQLite can not read is told, and left', async () => {
    const dataDir = filled()
    const file = join(dataDir, 'catalogue.sqlite')
    writeFileSync(file, 'hello '.repeat(999))
    const found = await verify(dataDir)
    expect(found.faults).toMatchObject([{ code: 'FILE_DAMAGED', file: 'catalogue.sqlite' }])
    expect((await repair(dataDir, found, { now: 1 })).faults).toEqual(found.faults)
    expect(readFileSync(file, 'utf8')).toMatch(/^hello/)
  })
})

describe('beside a worker', () => {
  test('what it writes, replaces, sweeps and merges meanwhile is no fault', async () => {
    const dataDir = fresh()
    const child = spawn(process.execPath, ['lib/testing/store-driver.ts', dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    child.stdout.resume()
    while (!existsSync(join(dataDir, 'catalogue.sqlite'))) await once(child.stdout, 'data')
    let looks = 0
    for (; child.exitCode === null; looks++) expect((await verify(dataDir)).faults).toEqual([])
    expect(await ended).toEqual([0, null])
    expect(looks).toBeGreaterThan(2)
  })

  test('nothing is mended, and nothing touched', async () => {
    const dataDir = filled()
    change(day(dataDir), 'UPDATE bytes SET zstd = zeroblob(length(zstd)) WHERE id = 2')
    const found = await verify(dataDir)
    const store = await openStore({ dataDir, mode: 'write' })
    const before = contentOf(dataDir)
    await expect(repair(dataDir, found, { now: 1 })).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
    expect(contentOf(dataDir)).toEqual(before)
    await store.close()
  })
})

test('a directory that holds nothing, or a newer layout, is not looked at', async () => {
  await expect(verify(fresh())).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  const dataDir = filled()
  change(join(dataDir, 'catalogue.sqlite'), 'PRAGMA user_version = 99')
  await expect(verify(dataDir)).rejects.toMatchObject({ code: 'DATA_DIR_NEWER' })
})

function contentOf(dataDir: string): Map<string, string> {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('-shm'))
  const files = names.filter((name) => statSync(join(dataDir, name)).isFile()).sort()
  return new Map(files.map((name) => [name, readFileSync(join(dataDir, name), 'base64')]))
}
