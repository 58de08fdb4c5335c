import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleEvidence } from '../../testing/evidence.ts'
import { putSample, sampleRun } from '../../testing/records.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'

let dataDir: string
let opened: Store[]

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'prowl-evidence-')), 'data')
  opened = []
})
afterEach(async () => {
  for (const store of opened) await store.close()
  rmSync(join(dataDir, '..'), { recursive: true, force: true })
})

async function open(mode: 'read' | 'write'): Promise<Store> {
  const store = await openStore({ dataDir, mode })
  opened.push(store)
  return store
}

test('a reader freezes while the writer holds the directory, and both see it', async () => {
  const writer = await open('write')
  const reader = await open('read')
  expect((await writer.status()).evidence).toBe(0)
  expect(existsSync(join(dataDir, 'evidence.sqlite'))).toBe(false)
  await reader.putEvidence(sampleEvidence())
  expect(await writer.evidence('0123456789')).toEqual(sampleEvidence())
  await putSample(writer, sampleRun())
  expect(await reader.status()).toMatchObject({ evidence: 1 })
})

test('a directory that was made anew has none', async () => {
  const reader = await open('read')
  await reader.putEvidence(sampleEvidence())
  expect(await reader.evidence('0123456789')).toBeDefined()
  renameSync(dataDir, `${dataDir}.old`)
  expect(await reader.evidence('0123456789')).toBeUndefined()
  await reader.putEvidence(sampleEvidence({ id: 'bbbbbbbbbb' }))
  expect((await reader.listEvidence({}, { limit: 9 })).items.map(({ id }) => id)).toEqual(['bbbbbbbbbb'])
})

test('several processes that make the file and freeze at once lose nothing', async () => {
  const children = ['a', 'b', 'c', 'd'].map((name) =>
    spawn(process.execPath, ['lib/testing/evidence-driver.ts', dataDir, name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(children.map((child) => once(child.stdout, 'data')))
  const ending = children.map((child) => once(child, 'close'))
  for (const child of children) child.stdin.end('go')
  const ends = await Promise.all(ending)
  expect(ends.map(([code]) => code)).toEqual([0, 0, 0, 0])
  const reader = await open('read')
  expect((await reader.status()).evidence).toBe(4 * 25 + 25)
  expect(readdirSync(dataDir).filter((name) => !name.startsWith('evidence.sqlite'))).toEqual([])
})

test('a newer layout is refused', async () => {
  await (await open('read')).putEvidence(sampleEvidence())
  for (const store of opened.splice(0)) await store.close()
  const db = new DatabaseSync(join(dataDir, 'evidence.sqlite'))
  db.exec('PRAGMA user_version=999')
  db.close()
  const reader = await open('read')
  await expect(reader.evidence('0123456789')).rejects.toMatchObject({ code: 'DATA_DIR_NEWER' })
  await expect(reader.putEvidence(sampleEvidence())).rejects.toMatchObject({ code: 'DATA_DIR_NEWER' })
})
