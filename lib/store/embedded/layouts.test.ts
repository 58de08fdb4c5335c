import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleEvidence } from '../../testing/evidence.ts'
import { fillSample } from '../../testing/layout-driver.ts'
import { openStore } from '../open.ts'
import { answers } from '../same-answers.ts'
import { CATALOGUE_FILE, EVIDENCE_FILE, LAYOUT } from './layout.ts'
import { verifyDirectory } from './verify/verify.ts'

/** Data directories as programs of these layouts wrote them (lib/testing/layout-driver.ts). */
const FIXTURES = 'lib/store/embedded/fixtures'
const KEPT = readdirSync(FIXTURES)
  .map((name) => Number(name.replace('layout-', '')))
  .sort((a, b) => a - b)
const ASKED = [{ filter: {}, limit: 50 }]
const root = mkdtempSync(join(tmpdir(), 'prowl-layouts-'))
let fresh: Awaited<ReturnType<typeof all>>

beforeAll(async () => {
  const dataDir = join(root, 'fresh')
  const store = await openStore({ dataDir, mode: 'write' })
  await fillSample(store)
  await store.close()
  fresh = await all(dataDir, 'read')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function unpacked(layout: number, name: string): string {
  const dataDir = join(root, `${layout}-${name}`)
  const from = join(FIXTURES, `layout-${layout}`)
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.gz'))) {
    const to = join(dataDir, file.replace(/\.gz$/, ''))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, gunzipSync(readFileSync(join(from, file))))
  }
  return dataDir
}

async function all(dataDir: string, mode: 'read' | 'write') {
  const store = await openStore({ dataDir, mode })
  try {
    const { evidence: count } = await store.status()
    const told = (await answers(store, ASKED)) as { status: object; asked: object[] }
    const evidence = count > 0 ? await store.evidence(sampleEvidence().id) : undefined
    // Each kind of file is brought up by what writes it.
    if (mode === 'write') await Promise.all([store.maintain(), store.putEvidence(sampleEvidence())])
    const { index } = await store.status()
    return { told: { ...told, status: { ...told.status, evidence: undefined } }, evidence, index }
  } finally {
    await store.close()
  }
}

function layoutsOf(dataDir: string): number[] {
  return filesOf(dataDir).map((file) => {
    const db = new DatabaseSync(file, { readOnly: true })
    const { user_version } = db.prepare('PRAGMA user_version').get() ?? {}
    db.close()
    return Number(user_version)
  })
}

function filesOf(dataDir: string): string[] {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort()
  return names.filter((name) => name.endsWith('.sqlite')).map((name) => join(dataDir, name))
}

/** What the databases hold; a reader's empty -wal and -shm beside them aside. */
function content(dataDir: string): string[] {
  return filesOf(dataDir).map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`)
}

test('a fixture of every layout is kept, this one’s too', () => {
  expect(KEPT).toEqual(Array.from({ length: LAYOUT }, (_, i) => i + 1))
})

describe.each(KEPT)('a directory of layout %i', (layout) => {
  test('is what programs of that layout wrote', () => {
    expect(new Set(layoutsOf(unpacked(layout, 'as-is')))).toEqual(new Set([layout]))
  })

  test('is read, and found sound, without being changed', async () => {
    const dataDir = unpacked(layout, 'read')
    const before = content(dataDir)
    const { told, evidence } = await all(dataDir, 'read')
    const without = (asked: object[]) => asked.map((each) => ({ ...each, exposed: undefined }))
    // Exposed runs are counted since layout 3: a reader has none until a worker came.
    expect({ ...told, asked: without(told.asked) }).toEqual({ ...fresh.told, asked: without(fresh.told.asked) })
    if (layout > 1) expect(evidence).toEqual(sampleEvidence())
    expect((await verifyDirectory(dataDir)).faults).toEqual([])
    expect(content(dataDir)).toEqual(before)
  })

  test('is brought up to this layout by a worker, and then tells what one of this layout tells', async () => {
    const dataDir = unpacked(layout, 'written')
    const { told, index } = await all(dataDir, 'write')
    expect(told).toEqual(fresh.told)
    expect(index).toMatchObject({ indexed: index.blocks, quarantined: 0 })
    expect(new Set(layoutsOf(dataDir))).toEqual(new Set([LAYOUT]))
    expect((await verifyDirectory(dataDir)).faults).toEqual([])
    expect((await all(dataDir, 'read')).told).toEqual(fresh.told)
  })
})

test.each([[CATALOGUE_FILE], [EVIDENCE_FILE], ['days']])(
  'a directory whose %s is of a newer layout is refused, and not touched',
  async (which) => {
    const dataDir = unpacked(LAYOUT, `newer-${which}`)
    for (const file of filesOf(dataDir).filter((name) => name.includes(which))) {
      const db = new DatabaseSync(file)
      db.exec(`PRAGMA user_version = ${LAYOUT + 1}`)
      db.close()
    }
    const before = content(dataDir)
    for (const mode of ['read', 'write'] as const)
      await expect(all(dataDir, mode)).rejects.toMatchObject({ code: 'DATA_DIR_NEWER' })
    expect(content(dataDir)).toEqual(before)
    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => name.startsWith(which) && name.endsWith('-wal'))).toEqual([])
  },
)
