import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blocksOf, logName, putSample, sampleLogs, sampleRecord, sampleRun } from '../../testing/records.ts'
import { type OpenOptions, openStore } from '../open.ts'
import type { Store } from '../store.ts'

const run = sampleRun()
const second = sampleRun({ path: 'logs/j/2' })
const texts = { 'build-log.txt': blocksOf(['one', 'two', 'three']) }
let dataDir: string
let opened: Store[]

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'prowl-embedded-')), 'data')
  opened = []
})
afterEach(async () => {
  for (const store of opened) await store.close()
  rmSync(join(dataDir, '..'), { recursive: true, force: true })
})

async function open(mode: OpenOptions['mode'], thread = false): Promise<Store> {
  const store = await openStore({ dataDir, mode, thread })
  opened.push(store)
  return store
}

async function found(store: Store): Promise<(string | undefined)[]> {
  const { items } = await store.candidates({}, { limit: 100 })
  const read = await store.read(items.map(({ ref }) => ref))
  return read.map((bytes) => bytes && Buffer.from(bytes).toString())
}

/** The files below the data directory with their content; locks and memory maps aside. */
function content(): Map<string, string> {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => statSync(join(dataDir, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(dataDir, name), 'base64')]))
}

function change(file: string, sql: string): void {
  const db = new DatabaseSync(join(dataDir, file))
  db.exec(sql)
  db.close()
}

function dayFile(): string {
  return join('days', readdirSync(join(dataDir, 'days')).find((name) => name.endsWith('.sqlite')) ?? '')
}

describe('opening', () => {
  test('a second writer is refused, in this process and behind a thread, until the first has closed', async () => {
    const first = await open('write')
    await expect(open('write')).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
    await expect(open('write', true)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED', status: 500 })
    await first.close()
    await putSample(await open('write'), run)
  })

  test('a directory that can not be made is refused', async () => {
    writeFileSync(join(dataDir, '..', 'file'), '')
    dataDir = join(dataDir, '..', 'file', 'data')
    await expect(open('write')).rejects.toMatchObject({ code: 'DATA_DIR_UNWRITABLE' })
    expect(await (await open('read')).jobs()).toEqual([])
    dataDir = join(dataDir, '..', '..', 'data')
  })

  test('a newer layout is refused, and nothing touched', async () => {
    const store = await open('write')
    await putSample(store, run, texts)
    await store.close()
    change('catalogue.sqlite', 'PRAGMA user_version = 4')
    const before = content()
    for (const mode of ['write', 'read'] as const) {
      await expect(open(mode)).rejects.toMatchObject({ code: 'DATA_DIR_NEWER' })
    }
    expect(content()).toEqual(before)
  })

  test('the layout before is brought up to date: runs that could have shown a failure are counted', async () => {
    const refs = { org: 'o', repo: 'r', baseRef: 'main', pulls: [] }
    const exposures = [{ signature: 's', from: 0, to: 1 }]
    const store = await open('write')
    await putSample(store, { ...run, time: run.time - 864e5 }, {}, { exposures })
    await putSample(store, run, {}, { exposures, fingerprint: 'f2' })
    await putSample(store, sampleRun({ path: 'logs/j/2', cluster: 'build01', refs }), {}, { exposures })
    await putSample(store, { ...run, path: `${run.path}3` }, {}, { exposures })
    const counted = await store.exposedRuns('s', '2026-11-03', '2026-11-03')
    expect(counted).toHaveLength(2)
    await store.close()
    change(
      'catalogue.sqlite',
      'DROP TABLE exposed_runs; DROP INDEX runs_by_failure; ALTER TABLE runs DROP COLUMN failure; PRAGMA user_version = 2',
    )
    expect(await (await open('read')).exposedRuns('s', '2026-11-03', '2026-11-03')).toEqual([])
    expect(await (await open('read')).failures({})).toEqual([])
    expect(await (await open('read')).runs({ failures: ['a'] }, { limit: 1 })).toEqual({ items: [] })
    const writer = await open('write')
    expect(await writer.exposedRuns('s', '2026-11-03', '2026-11-03')).toEqual(counted)
  })

  test('a newer layout of a day file is refused as well', async () => {
    const store = await open('write')
    await putSample(store, run, texts)
    await store.close()
    change(dayFile(), 'PRAGMA user_version = 4')
    await expect(found(await open('read'))).rejects.toMatchObject({ code: 'DATA_DIR_NEWER' })
  })

  test.each([
    ['no database', () => writeFileSync(join(dataDir, 'catalogue.sqlite'), 'hello '.repeat(999))],
    ["another program's database", () => change('catalogue.sqlite', 'CREATE TABLE x(a); PRAGMA user_version = 1')],
  ])('a catalogue that is %s is refused', async (_, damage) => {
    await (await open('write')).close()
    rmSync(join(dataDir, 'catalogue.sqlite'))
    damage()
    await expect(open('write')).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await expect(open('read')).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  test('what was written is there when it is opened again', async () => {
    const store = await open('write')
    await putSample(store, run, texts)
    await store.close()
    expect(await found(await open('write'))).toEqual(['one\ntwo', 'three'])
  })
})

describe('readers', () => {
  test.each([false, true])('see what a writer makes, publishes, replaces and expires (thread: %s)', async (thread) => {
    const reader = await open('read', thread)
    expect(await found(reader)).toEqual([])
    const writer = await open('write')
    expect(await reader.status()).toMatchObject({ logs: 0 })
    await putSample(writer, run, texts)
    expect(await found(reader)).toEqual(['one\ntwo', 'three'])
    const refs = (await reader.candidates({}, { limit: 9 })).items.map(({ ref }) => ref)
    await putSample(writer, run, { 'build-log.txt': blocksOf(['new']) })
    await writer.maintain()
    expect(await found(reader)).toEqual(['new'])
    expect(await reader.read(refs)).toEqual([undefined, undefined])
    await writer.maintain({ expireBefore: '2026-11-04' })
    expect(await found(reader)).toEqual([])
    expect(await reader.run(run)).toMatchObject({ expired: true })
    await putSample(writer, run, texts)
    expect(await found(reader)).toEqual(['one\ntwo', 'three'])
  })

  test('let go of the file of an expired day', async () => {
    const writer = await open('write')
    await putSample(writer, run, texts)
    const reader = await open('read')
    await found(reader)
    await writer.maintain({ expireBefore: '2026-11-04' })
    await reader.status()
    const held = readdirSync('/proc/self/fd').flatMap((fd) => {
      const path = statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false })
      return path?.isFile() && path.nlink === 0 ? [fd] : []
    })
    expect(held).toEqual([])
  })

  test('turn to a directory that was made anew', async () => {
    const writer = await open('write')
    await putSample(writer, run, texts)
    const reader = await open('read')
    expect(await reader.jobs()).toEqual([run.job])
    await writer.close()
    renameSync(dataDir, `${dataDir}-old`)
    expect(await reader.jobs()).toEqual([])
    await putSample(await open('write'), second)
    expect(await reader.jobs()).toEqual(['j'])
  })

  test('are refused what only a writer may do', async () => {
    const reader = await open('read')
    for (const write of [
      () => reader.begin(run),
      () => reader.putState('key', 1),
      () => reader.maintain(),
      () => reader.putIncidents('s', []),
      () => reader.fail({ ...run, code: 'X', message: 'x', at: 1 }),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    }
  })
})

describe('damage', () => {
  test.each([
    ['bytes', 'UPDATE bytes SET zstd = zeroblob(length(zstd)) WHERE id = 2'],
    ['size', 'UPDATE bytes SET size = size - 1 WHERE id = 2'],
  ])('of a block (%s) is told, and the others are read', async (_, sql) => {
    const store = await open('write')
    await putSample(store, run, texts)
    const refs = (await store.candidates({}, { limit: 9 })).items.map(({ ref }) => ref)
    change(dayFile(), sql)
    await expect(store.read(refs)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    expect((await store.read(refs.slice(0, 1)))[0]).toHaveLength(7)
  })

  test('of a day file, missing or emptied of a text, is told and not passed over', async () => {
    const store = await open('write')
    await putSample(store, run, texts)
    await store.close()
    change(dayFile(), 'DELETE FROM blocks; DELETE FROM texts')
    await expect(found(await open('read'))).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    rmSync(join(dataDir, dayFile()))
    await expect(found(await open('read'))).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  test('of a day file that is missing is told to the writer too: an empty one would give its texts’ ids to others', async () => {
    const store = await open('write')
    await putSample(store, run, texts)
    await store.close()
    rmSync(join(dataDir, dayFile()))
    await expect(
      putSample(await open('write'), second, { 'build-log.txt': blocksOf(['other']) }),
    ).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
    })
    await expect(found(await open('read'))).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })
})

describe('writing', () => {
  test('what a killed worker left is swept once: its blocks and its files', async () => {
    const killed = await open('write')
    const version = await killed.begin(run)
    await killed.append(version, logName('build-log.txt'), blocksOf(['never']))
    await putSample(killed, second, texts)
    await killed.close()
    writeFileSync(join(dataDir, 'days', '2026-01-01-0123456789ab.sqlite'), '')
    writeFileSync(join(dataDir, 'days', 'notes.txt'), '')
    const store = await open('write')
    expect(readdirSync(join(dataDir, 'days')).filter((name) => /^2026-01-01|notes/.test(name))).toEqual(['notes.txt'])
    expect(await store.maintain()).toMatchObject({ swept: 1 })
    expect(await store.maintain()).toMatchObject({ swept: 0 })
    expect(await found(store)).toEqual(['one\ntwo', 'three'])
  })

  test('what sweeping and merging leave free is given back to the disk', async () => {
    const store = await open('write')
    const large = Array.from({ length: 64 }, (_, i) => ({
      firstLine: i + 1,
      lineCount: 1,
      bytes: randomBytes(64 << 10),
      ascii: false,
    }))
    await putSample(store, run, { 'build-log.txt': large })
    await putSample(store, run, texts)
    await store.maintain()
    expect((await store.status()).storedBytes).toBeLessThan(2 << 20)
  })

  test('a failed append loses its version, and no other', async () => {
    const store = await open('write')
    const version = await store.begin(run)
    const other = await store.begin(second)
    await store.append(version, logName('build-log.txt'), blocksOf(['a']))
    await store.append(other, logName('build-log.txt'), texts['build-log.txt'])
    const [bad] = blocksOf(['x']).map((block) => ({ ...block, firstLine: 1.5 }))
    await expect(store.append(version, logName('build-log.txt'), bad ? [bad] : [])).rejects.toMatchObject({
      code: 'STORE_FAILED',
    })
    await expect(store.publish(version, sampleRecord(run))).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await store.publish(other, sampleRecord(second, { logs: sampleLogs(texts) }))
    expect(await found(store)).toEqual(['one\ntwo', 'three'])
  })

  test('more day files than may be open at once', async () => {
    const store = await open('write')
    const runs = Array.from({ length: 100 }, (_, i) =>
      sampleRun({ path: `logs/j/${i}`, time: run.time + i * 86_400_000 }),
    )
    for (const each of runs) await putSample(store, each, { 'build-log.txt': blocksOf([each.path]) })
    expect(await found(store)).toEqual(runs.map(({ path }) => path).reverse())
    expect((await store.status()).days).toHaveLength(100)
  })
})

describe('behind a thread', () => {
  test('closing twice does no harm, and calls after it are refused with a code', async () => {
    const store = await open('write', true)
    await store.close()
    await store.close()
    await expect(store.jobs()).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('what can not be sent is refused, and the thread goes on', async () => {
    const store = await open('write', true)
    await expect(store.putState('key', () => 1)).rejects.toThrow()
    await store.putState('key', 1)
    expect(await store.state('key')).toBe(1)
  })
})
