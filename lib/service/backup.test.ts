import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { lockDirectory } from '../store/embedded/writer-lock.ts'
import { FILLING_KEY } from '../store/entries.ts'
import { openStore } from '../store/open.ts'
import { createReferenceStore } from '../store/reference.ts'
import { answers, apply, operation, question } from '../store/same-answers.ts'
import type { Store } from '../store/store.ts'
import { sampleEvidence } from '../testing/evidence.ts'
import { blocksOf, putSample, SAMPLE_TIME, sampleHit, sampleRun } from '../testing/records.ts'
import { backupEmbedded, backupRecords } from './backup.ts'
import { migrate } from './migrate.ts'
import { restoreFiles, restoreRecords } from './restore.ts'

const root = mkdtempSync(join(tmpdir(), 'prowl-backup-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const fresh = () => join(root, String(++count))
const now = SAMPLE_TIME

const run = sampleRun({ path: 'logs/périodique-\u{1f600}/1' })
/** A store with a run of every sort of thing that is carried. */
async function putAll(store: Store): Promise<void> {
  const hits = [sampleHit(run, { text: 'a\u2028b' })]
  const exposures = [{ signature: 'boskos-lease', from: run.time - 9e6, to: run.time }]
  const tracks = [
    { bucket: run.bucket, path: run.path, signature: 's', resource: 'r', log: 'build-log.txt', marks: [] },
  ]
  await putSample(store, run, { 'build-log.txt': blocksOf(['one', 'two', 'three']) }, { hits, exposures, tracks })
  await store.putState('ingest-cursor:gs://a', { at: 1 })
  await store.putState('other', 'x\u2028y')
  await store.putEvidence(sampleEvidence({ sentences: ['a\u2028b'] }))
  for (const path of ['logs/j/7', 'logs/j/8'])
    await store.fail({ bucket: run.bucket, path, code: 'X', message: 'cut', at: 1 })
}

async function filled(dataDir = fresh()): Promise<string> {
  const store = await openStore({ dataDir, mode: 'write' })
  await putAll(store)
  await store.close()
  return dataDir
}

async function told(
  dataDir: string,
  asked: Parameters<typeof answers>[1] = [{ filter: {}, limit: 9 }],
): Promise<unknown> {
  const store = await openStore({ dataDir, mode: 'read' })
  try {
    return await answers(store, asked)
  } finally {
    await store.close()
  }
}

const anything = fc.tuple(fc.array(operation, { maxLength: 15 }), fc.array(question, { maxLength: 4 }))

describe('files', () => {
  test('whatever was written is restored, text and all', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ([done, asked]) => {
        const [dataDir, dir, restored] = [fresh(), fresh(), fresh()]
        const store = await openStore({ dataDir, mode: 'write' })
        for (const each of done) await apply(store, each)
        await backupEmbedded(dataDir, { dir, now, text: true })
        await restoreFiles(restored, { dir })
        const filters = [{ filter: {}, limit: 2 }, ...asked]
        expect(await told(restored, filters)).toEqual(await answers(store, filters))
        await store.close()
      }),
      { numRuns: 15, interruptAfterTimeLimit: 50_000 },
    )
  })

  test('a backup taken while the worker writes, replaces and sweeps lacks no text', async () => {
    const dataDir = fresh()
    const child = spawn(process.execPath, ['lib/testing/store-driver.ts', dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    child.stdout.resume()
    while (!existsSync(join(dataDir, 'catalogue.sqlite'))) await once(child.stdout, 'data')
    let backups = 0
    for (; child.exitCode === null; backups++) {
      const [dir, restored] = [fresh(), fresh()]
      await backupEmbedded(dataDir, { dir, now, text: true })
      await restoreFiles(restored, { dir })
      await expectWholeText(restored)
    }
    expect(await ended).toEqual([0, null])
    expect(backups).toBeGreaterThan(1)
  })

  test('shows progress, up to all of it', async () => {
    const [dataDir, dir] = [await filled(), fresh()]
    const seen: [number, number][] = []
    const onProgress = (done: number, total: number) => seen.push([done, total])
    await backupEmbedded(dataDir, { dir, now, text: true, onProgress })
    await restoreFiles(fresh(), { dir, onProgress })
    for (const [done, total] of [seen[0], seen.at(-1)].flatMap((each) => (each ? [each] : [])))
      expect(done).toBeLessThanOrEqual(total)
    expect(seen.at(-1)?.[0]).toBe(seen.at(-1)?.[1])
  })
})

async function expectWholeText(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir, mode: 'read' })
  const { items } = await store.runs({}, { limit: 1000 })
  for (const each of items) {
    const stored = await store.run(each)
    for (const log of stored?.expired ? [] : (stored?.logs ?? [])) {
      const blocks = await store.blocks(each, log.name, 1, 1e9)
      const bytes = await store.read(blocks.map(({ ref }) => ref))
      expect(
        bytes.reduce((sum, part) => sum + (part?.length ?? 0), 0),
        `${each.path} ${log.name}`,
      ).toBe(log.bytes)
    }
  }
  await store.close()
}

describe('records', () => {
  test.each(['embedded', 'reference'])('whatever was written is there again but for text (%s)', async (kind) => {
    await fc.assert(
      fc.asyncProperty(anything, async ([done, asked]) => {
        const [dataDir, dir] = [fresh(), fresh()]
        const store = await openStore({ dataDir, mode: 'write' })
        for (const each of done) await apply(store, each)
        await backupEmbedded(dataDir, { dir, now, text: false })
        const target =
          kind === 'embedded' ? await openStore({ dataDir: fresh(), mode: 'write' }) : createReferenceStore()
        await restoreRecords(target, { dir })
        const filters = [{ filter: {}, limit: 2 }, ...asked]
        expect(withoutText(await answers(target, filters))).toEqual(withoutText(await answers(store, filters)))
        await Promise.all([store.close(), target.close()])
      }),
      { numRuns: 15, interruptAfterTimeLimit: 50_000 },
    )
  })

  test('text is to be read again, and nothing says where passes stood', async () => {
    const [dir, target] = [fresh(), createReferenceStore()]
    await backupEmbedded(await filled(), { dir, now, text: false })
    await restoreRecords(target, { dir })
    expect(await target.run(run)).toMatchObject({
      expired: true,
      fingerprint: 'unread:f1',
      hits: [{ text: 'a\u2028b' }],
    })
    expect(await target.states()).toEqual([{ key: 'other', value: 'x\u2028y' }])
  })

  test('of a store that is written to meanwhile are refused', async () => {
    const [dir, store] = [fresh(), createReferenceStore()]
    await putAll(store)
    let calls = 0
    const busy = observed(store, 'incidents', () => calls++ === 1 && putSample(store, sampleRun({ path: 'logs/j/2' })))
    await expect(backupRecords(busy, { dir, now })).rejects.toMatchObject({ code: 'COPY_DIFFERS' })
    expect(existsSync(dir) || existsSync(`${dir}.part`)).toBe(false)
  })
})

interface Told {
  readonly status: object
  readonly known: readonly object[]
  readonly stamps: readonly (readonly object[])[]
  readonly asked: readonly object[]
}

function withoutText(all: unknown): unknown {
  const { status, known, stamps, asked, ...rest } = all as Told
  return {
    ...rest,
    status: { ...status, rawBytes: 0, days: [] },
    known: known.map((each) => ({ ...each, fingerprint: '', expired: true })),
    stamps: stamps.map((each) => each.map((stamp) => ({ ...stamp, fingerprint: '' }))),
    asked: asked.map((each) => ({ ...each, blocks: [] })),
  }
}

/** The store, with something done before each call of a method. */
function observed(store: Store, method: keyof Store, before: () => unknown): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const own = target[name] as (...args: readonly unknown[]) => unknown
      return async (...args: readonly unknown[]) => {
        if (name === method) await before()
        return await own.apply(target, [...args])
      }
    },
  })
}

describe('a backup that is not whole is refused, and nothing changed', () => {
  const edited = (dir: string, change: (manifest: Record<string, unknown>) => void) => {
    const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))
    change(manifest)
    writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest))
  }
  const flipped = (file: string) => {
    const bytes = readFileSync(file)
    bytes[bytes.length - 1] = 1 ^ (bytes.at(-1) ?? 0)
    writeFileSync(file, bytes)
  }
  const dayOf = (dir: string) => join(dir, 'days', readdirSync(join(dir, 'days'))[0] ?? '')
  const cases: readonly [string, string, (dir: string) => void][] = [
    ['without its manifest', 'BACKUP_INVALID', (dir) => rmSync(join(dir, 'manifest.json'))],
    ['with half a manifest', 'BACKUP_INVALID', (dir) => writeFileSync(join(dir, 'manifest.json'), '{"prowl":"ba')],
    ['with a damaged catalogue', 'BACKUP_INVALID', (dir) => flipped(join(dir, 'catalogue.sqlite'))],
    ['with a damaged day', 'BACKUP_INVALID', (dir) => flipped(dayOf(dir))],
    ['without a day', 'BACKUP_INVALID', (dir) => rmSync(dayOf(dir))],
    [
      'with names that lead out of it',
      'BACKUP_INVALID',
      (dir) => edited(dir, (m) => Object.assign(m, { files: [{ name: '../x', bytes: 1, sha256: '' }] })),
    ],
    ['of a newer version', 'BACKUP_NEWER', (dir) => edited(dir, (m) => Object.assign(m, { version: 3 }))],
    ['of a newer layout', 'BACKUP_NEWER', (dir) => edited(dir, (m) => Object.assign(m, { layout: 99 }))],
    ['that is no directory', 'BACKUP_INVALID', (dir) => rmSync(dir, { recursive: true })],
  ]
  test.each(cases)('%s: %s', async (_, code, harm) => {
    const [dir, restored] = [fresh(), fresh()]
    await backupEmbedded(await filled(), { dir, now, text: true })
    harm(dir)
    await expect(restoreFiles(restored, { dir })).rejects.toMatchObject({ code })
    expect(existsSync(restored) ? readdirSync(restored).filter((name) => name !== 'writer.lock') : []).toEqual([])
  })

  test('damaged records', async () => {
    const [dir, target] = [fresh(), createReferenceStore()]
    await backupEmbedded(await filled(), { dir, now, text: false })
    flipped(join(dir, 'records.ndjson.zst'))
    await expect(restoreRecords(target, { dir })).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
    expect(await target.states()).toEqual([])
  })
})

describe('a directory that is not free is refused untouched', () => {
  const cases: readonly [string, string, () => Promise<string>][] = [
    ['that holds data', 'STORE_NOT_EMPTY', () => filled()],
    [
      'of a newer layout',
      'DATA_DIR_NEWER',
      async () => {
        const dataDir = await filled()
        const db = new DatabaseSync(join(dataDir, 'catalogue.sqlite'))
        db.exec('PRAGMA user_version = 99')
        db.close()
        return dataDir
      },
    ],
    [
      'that a worker begins to write to',
      'DATA_DIR_LOCKED',
      async () => {
        const dataDir = fresh()
        const lock = lockDirectory(dataDir)
        onTestFinished(() => lock.close())
        return dataDir
      },
    ],
  ]
  test.each(cases)('%s: %s', async (_, code, make) => {
    const [dir, dataDir] = [fresh(), await make()]
    await backupEmbedded(await filled(), { dir, now, text: true })
    const before = readdirSync(dataDir, { recursive: true })
    await expect(restoreFiles(dataDir, { dir })).rejects.toMatchObject({ code })
    expect(readdirSync(dataDir, { recursive: true })).toEqual(before)
  })

  test('a restore that was cut off before its end is begun again, one that reached it is not', async () => {
    const [dir, dataDir] = [fresh(), fresh()]
    await backupEmbedded(await filled(), { dir, now, text: true })
    cpSync(dir, join(dataDir, 'restore.part'), { recursive: true })
    cpSync(join(dir, 'days'), join(dataDir, 'days'), { recursive: true })
    await restoreFiles(dataDir, { dir })
    expect(await told(dataDir)).toMatchObject({ status: { logs: 1 } })
    cpSync(dir, join(dataDir, 'restore.part'), { recursive: true })
    await expect(restoreFiles(dataDir, { dir })).rejects.toMatchObject({ code: 'STORE_NOT_EMPTY' })
  })
})

describe('migrate', () => {
  test('cut off at any call and begun again, carries everything and nothing twice', async () => {
    const dataDir = fresh()
    const source = await openStore({ dataDir, mode: 'write' })
    for (let i = 0; i < 30; i++) {
      const each = sampleRun({ path: `logs/j/${i}`, time: SAMPLE_TIME + i * 3_600_000 })
      await putSample(source, each, { 'build-log.txt': blocksOf(['x']) }, { hits: [sampleHit(each)] })
    }
    await putAll(source)
    const target = await openStore({ dataDir: fresh(), mode: 'write' })
    let published = 0
    for (let calls = 1; ; calls += 7) {
      let left = calls
      const dying = observed(
        observed(target, 'publish', () => {
          if (left-- <= 0) throw new Error('killed')
          published++
        }),
        'putState',
        () => {
          if (left-- <= 0) throw new Error('killed')
        },
      )
      const ended = await migrate(dataDir, dying).then(
        () => true,
        (error: Error) => error.message !== 'killed' && Promise.reject(error),
      )
      if (ended) break
      expect(await target.state(FILLING_KEY)).toBeDefined()
    }
    expect(published).toBe(31)
    expect(withoutText(await answers(target, [{ filter: {}, limit: 9 }]))).toEqual(
      withoutText({
        ...((await answers(source, [{ filter: {}, limit: 9 }])) as object),
        states: [{ key: 'other', value: 'x\u2028y' }],
      }),
    )
    await Promise.all([source.close(), target.close()])
  })

  test('into a store that holds other data, or is being filled from elsewhere, is refused', async () => {
    const [one, other, target] = [await filled(), await filled(), createReferenceStore()]
    await target.putState(FILLING_KEY, { from: one })
    await expect(migrate(other, target)).rejects.toMatchObject({ code: 'STORE_UNFINISHED' })
    await migrate(one, target)
    await expect(migrate(one, target)).rejects.toMatchObject({ code: 'STORE_NOT_EMPTY' })
  })

  test('into a store that loses a run is told', async () => {
    const lossy = observed(createReferenceStore(), 'close', () => {})
    const target = new Proxy(lossy, {
      get: (store, name: keyof Store) => (name === 'publish' ? async () => {} : store[name]),
    })
    await expect(migrate(await filled(), target)).rejects.toMatchObject({ code: 'COPY_DIFFERS' })
  })
})
