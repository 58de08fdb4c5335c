import { createHash } from 'node:crypto'
import type { Block } from '../model/block.ts'
import type { Run } from '../model/run.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import {
  blocksOf,
  logName,
  SAMPLE_TIME,
  sampleHit,
  sampleLogs,
  sampleRecord,
  sampleRun,
  type Texts,
} from './records.ts'

/**
 * A process that writes a fixed set of runs into a store, and takes up where an earlier one was killed: each in a first
 * version, then a third of them in a second one, with retention between. It prints a dot for each call it makes.
 */
const RUNS = 240
const AT_ONCE = 4
const HOUR = 3_600_000

async function drive(dataDir: string): Promise<void> {
  const store = told(await openStore({ dataDir, mode: 'write' }))
  const runs = Array.from({ length: RUNS }, (_, i) => i)
  if ((await store.state('pass')) === undefined) {
    await writeAll(store, runs, 1)
    await store.maintain({ expireBefore: '2026-11-04' })
    await store.putState('pass', 2)
  }
  const again = runs.filter((i) => i % 3 === 0)
  await writeAll(store, again, 2)
  await store.maintain()
  await store.close()
}

/** The store, printing a dot before each call to it. */
function told(store: Store): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const method = target[name] as (...args: readonly unknown[]) => unknown
      return (...args: readonly unknown[]) => {
        process.stdout.write('.')
        return method.apply(target, [...args])
      }
    },
  })
}

async function writeAll(store: Store, runs: readonly number[], pass: 1 | 2): Promise<void> {
  for (let at = 0; at < runs.length; at += AT_ONCE) {
    await Promise.all(runs.slice(at, at + AT_ONCE).map((i) => write(store, i, pass)))
  }
}

async function write(store: Store, i: number, pass: 1 | 2): Promise<void> {
  const time = SAMPLE_TIME + i * HOUR * 0.3 + (pass === 1 ? 0 : HOUR)
  const run = sampleRun({ path: `logs/job-${i % 5}/${i}`, time, result: pass === 1 ? 'pending' : 'failure' })
  const [stamp] = await store.stamps(run.bucket, [run.path])
  if (stamp?.fingerprint === `pass ${pass}`) return
  if (i % 11 === 0) await store.fail({ bucket: run.bucket, path: run.path, code: 'X', message: 'cut', at: time })
  const texts: Texts = { 'build-log.txt': text(i, pass, 3), 'artifacts/lease.log': text(i, pass + 2, i % 3) }
  const version = await store.begin(run)
  for (const [log, blocks] of Object.entries(texts))
    for (const block of blocks) await store.append(version, logName(log), [block])
  await store.publish(version, { ...recordOf(run, i, pass), logs: sampleLogs(texts) })
}

function recordOf(run: Run, i: number, pass: number) {
  const hits = Array.from({ length: i % 4 }, (_, n) => sampleHit(run, { line: n + pass, signature: `s${n % 2}` }))
  const exposures = [{ signature: 's0', from: run.time - HOUR, to: run.time }]
  const tracks = [{ bucket: run.bucket, path: run.path, signature: 's0', resource: 'r', log: 'lease.log', marks: [] }]
  return sampleRecord(run, { fingerprint: `pass ${pass}`, firstSeen: i, hits, exposures, tracks })
}

/** Bytes that zstd can't shrink, so that files grow and write-ahead logs are checkpointed. */
function text(i: number, salt: number, blocks: number): Block[] {
  const line = (n: number) => createHash('sha512').update(`${i} ${salt} ${n}`).digest('base64')
  return blocksOf(
    Array.from({ length: blocks * 150 }, (_, n) => line(n)),
    150,
  )
}

await drive(process.argv[2] ?? '')
