import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, putSample, SAMPLE_TIME, sampleRun } from '../../testing/records.ts'
import { countsOf } from '../entry-counts.ts'
import { openStore } from '../open.ts'
import { answers } from '../same-answers.ts'
import { openSnapshot } from './snapshot.ts'

const root = mkdtempSync(join(tmpdir(), 'prowl-snapshot-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const ASKED = [{ filter: {}, limit: 9 }]
const DAY = 86_400_000

test('a copy holds what was there when it was begun, whatever is replaced, swept and expired before it ends', async () => {
  const dataDir = join(root, 'data')
  const store = await openStore({ dataDir, mode: 'write' })
  const runs = [0, 1].map((day) => sampleRun({ path: `logs/j/${day}`, time: SAMPLE_TIME + day * DAY }))
  for (const run of runs) await putSample(store, run, { 'build-log.txt': blocksOf(['old', 'text']) })
  const before = await answers(store, ASKED)

  const snapshot = await openSnapshot(dataDir)
  for (const run of runs) await putSample(store, run, { 'build-log.txt': blocksOf(['new']) }, { fingerprint: 'f2' })
  await store.maintain({ expireBefore: '2026-11-04' })
  expect((await countsOf(snapshot.store, [])).runs).toMatchObject({ 'failure any': [2, 16] })
  await snapshot.copyTo(join(root, 'copy'), () => {})
  snapshot.close()
  await store.close()

  const copy = await openStore({ dataDir: join(root, 'copy'), mode: 'read' })
  expect(await answers(copy, ASKED)).toEqual(before)
  await copy.close()
})

test('a directory that holds nothing has no snapshot', async () => {
  await expect(openSnapshot(join(root, 'none'))).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})
