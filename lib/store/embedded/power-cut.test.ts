import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, putSample, sampleHit, sampleRun } from '../../testing/records.ts'
import { openStore } from '../open.ts'
import { answers } from '../same-answers.ts'
import { openForWriting } from './layout.ts'
import { verifyDirectory } from './verify/verify.ts'

const RUNS = 5
const CUTS_A_RUN = 8
/** What a disk writes whole or not at all. */
const SECTOR = 512
const root = mkdtempSync(join(tmpdir(), 'prowl-power-'))
const random = xoroshiro128plus(1750890)
afterAll(() => rmSync(root, { recursive: true, force: true }))

/**
 * What a power cut leaves is: all that was synced, and of what was written since any sectors. A commit is synced before
 * it returns (`synchronous=FULL`), a day file's before the catalogue's begins. So between two publications the disk holds
 * the files as they were after the first, and of the write-ahead logs' new part whatever it likes.
 */
test('whatever sectors a power cut keeps of the last write, one of two moments is there, whole', async () => {
  const states = await published()
  for (const [i, after] of states.entries()) {
    const before = states[i - 1]
    if (!before) continue
    const either = [await told(before, 'a'), await told(after, 'b')]
    expect(either[0]).not.toEqual(either[1])
    for (let cut = 0; cut < CUTS_A_RUN; cut++) {
      // Half of them while blocks are written, half while the catalogue is.
      const dataDir = cutBetween(before, after, cut % 2 === 0 ? 'days' : 'catalogue')
      const found = await told(dataDir, 'c')
      expect(either).toContainEqual(found)
      if (cut % 2 === 0) expect(found).toEqual(either[0])
    }
  }
}, 120_000)

test.each(['catalogue', 'day', 'evidence'] as const)('a commit to a %s file is on the disk when it returns', (kind) => {
  const db = openForWriting(join(root, `${kind}.sqlite`), kind)
  // 2: FULL. In WAL mode NORMAL would lose commits with the power, and keep the file sound.
  expect(db.get('PRAGMA synchronous')).toEqual({ synchronous: 2 })
  expect(db.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' })
  db.close()
})

/** Copies of a data directory, each after one more run. The last one's day is that of the one before. */
async function published(): Promise<string[]> {
  const dataDir = join(root, 'live')
  const store = await openStore({ dataDir, mode: 'write' })
  const states: string[] = []
  for (let i = 0; i < RUNS; i++) {
    const run = sampleRun({ path: `logs/job/${i}` })
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n} of ${i}: ${random.next()}`)
    await putSample(store, run, { 'build-log.txt': blocksOf(lines, 10) }, { hits: [sampleHit(run)] })
    states.push(join(root, `state-${i}`))
    // By another process: closing a file that SQLite has open would drop this one's locks on it.
    execFileSync('cp', ['-r', dataDir, states.at(-1) ?? ''])
  }
  await store.close()
  return states
}

/** The directory where power failed while the logs of `part` grew from one state to the other. */
function cutBetween(before: string, after: string, part: 'days' | 'catalogue'): string {
  const dataDir = join(root, 'cut')
  rmSync(dataDir, { recursive: true, force: true })
  execFileSync('cp', ['-r', before, dataDir])
  const wals = readdirSync(after, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-wal'))
  for (const name of wals) {
    const isPart = name.startsWith(part)
    // Nothing is written to the catalogue before the blocks are synced.
    if (!isPart && part === 'days') continue
    const [old, grown] = [readFileSync(join(before, name)), readFileSync(join(after, name))]
    expect(grown.subarray(0, old.length).equals(old)).toBe(true)
    writeFileSync(join(dataDir, name), isPart ? torn(grown, old.length) : grown)
  }
  // The index of a write-ahead log is memory: it is gone.
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('-shm')) rmSync(join(dataDir, name))
  return dataDir
}

/** Some sectors beyond `synced` hold nothing, and the end may be missing. */
function torn(bytes: Buffer, synced: number): Buffer {
  const left = Buffer.from(bytes.subarray(0, uniformInt(random, synced, bytes.length)))
  for (let at = Math.ceil(synced / SECTOR) * SECTOR; at < left.length; at += SECTOR)
    if (uniformInt(random, 0, 3) === 0) left.fill(0, at, Math.min(left.length, at + SECTOR))
  return left
}

/** What the next worker finds; verify finds nothing wrong before and after it. */
async function told(of: string, name: string): Promise<unknown> {
  const dataDir = join(root, name)
  rmSync(dataDir, { recursive: true, force: true })
  execFileSync('cp', ['-r', of, dataDir])
  if (existsSync(join(dataDir, 'catalogue.sqlite'))) expect((await verifyDirectory(dataDir)).faults).toEqual([])
  const store = await openStore({ dataDir, mode: 'write' })
  try {
    await store.maintain()
    return await answers(store, [{ filter: {}, limit: 100 }])
  } finally {
    await store.close()
    expect((await verifyDirectory(dataDir)).faults).toEqual([])
  }
}
