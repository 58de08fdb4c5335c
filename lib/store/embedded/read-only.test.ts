import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Disk, readOnly } from '../../testing/disks.ts'
import { sampleEvidence } from '../../testing/evidence.ts'
import { blocksOf, putSample, sampleRun } from '../../testing/records.ts'
import { openStore } from '../open.ts'
import { answers } from '../same-answers.ts'
import type { Store } from '../store.ts'
import { verifyDirectory } from './verify/verify.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'prowl-read-only-'))
const probe = readOnly(dataDir)
probe?.close()

/** Skipped by name where nothing can be made read-only: as root without the right to mount. */
describe.skipIf(probe === undefined)('a directory that can not be written', () => {
  const run = sampleRun()
  const opened: Store[] = []
  let disk: Disk | undefined
  let before: unknown

  async function open(mode: 'read' | 'write'): Promise<Store> {
    const store = await openStore({ dataDir, mode })
    opened.push(store)
    return store
  }
  const ask = (store: Store) => answers(store, [{ filter: {}, limit: 2 }])

  beforeAll(async () => {
    const store = await open('write')
    await putSample(store, run, { 'build-log.txt': blocksOf(['one', 'two', 'three']) })
    await store.putEvidence(sampleEvidence())
    before = await ask(store)
    await store.close()
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    disk?.close()
    disk = undefined
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  test('is read as ever, verified too, and says that it can not be written', async () => {
    disk = readOnly(dataDir)
    const reader = await open('read')
    expect(await ask(reader)).toEqual(before)
    await expect(open('write')).rejects.toMatchObject({ code: 'DATA_DIR_UNWRITABLE' })
    await expect(reader.putEvidence(sampleEvidence({ id: 'bbbbbbbbbb' }))).rejects.toMatchObject({
      code: 'DATA_DIR_UNWRITABLE',
    })
    const { faults } = await verifyDirectory(dataDir)
    expect(faults).toEqual([])
    expect(await ask(reader)).toEqual(before)
  })

  test('is read anew once it is written again', async () => {
    disk = readOnly(dataDir)
    const reader = await open('read')
    expect(await reader.jobs()).toEqual([run.job])
    disk?.close()
    disk = undefined
    const writer = await open('write')
    await putSample(writer, sampleRun({ path: 'logs/other/1' }), { 'build-log.txt': blocksOf(['four']) })
    expect(await reader.jobs()).toEqual(['other', run.job])
    await writer.putEvidence(sampleEvidence({ id: 'bbbbbbbbbb' }))
    expect((await reader.listEvidence({}, { limit: 9 })).items).toHaveLength(2)
    expect(await ask(reader)).toEqual(await ask(writer))
  })
})
