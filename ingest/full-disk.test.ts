import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyDirectory } from '#lib/store/embedded/verify/verify.ts'
import { openStore } from '#lib/store/open.ts'
import { type Disk, smallDisk } from '#lib/testing/disks.ts'
import { sampleEvidence } from '#lib/testing/evidence.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { catalogueOf } from './testing/catalogue-of.ts'

const DISK_KIB = 48 << 10
const BALLAST = 'ballast'
const root = mkdtempSync(join(tmpdir(), 'prowl-full-disk-'))
const bucket = join(root, 'sample')
const disk: Disk | undefined = smallDisk(join(root, 'disk'), DISK_KIB)

/** Skipped by name where this process may not mount a small file system. */
describe.skipIf(disk === undefined)('on a full disk', () => {
  const dir = disk?.dir ?? ''
  const dataDir = join(dir, 'data')
  const children: ChildProcess[] = []

  beforeAll(() => generateSample({ dir: bucket, seed: 11, end: Date.now(), scale: 0.02 }))
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    disk?.close()
    rmSync(root, { recursive: true, force: true })
  })

  /** Leaves so much room. */
  function fill(room: number): void {
    rmSync(join(dir, BALLAST), { force: true })
    const { bavail, bsize } = statfsSync(dir)
    writeFileSync(join(dir, BALLAST), Buffer.alloc(Math.max(0, bavail * bsize - room)))
  }

  function worker(into: string, ...more: string[]) {
    const args = ['ingest/main.ts', '--bucket', bucket, '--since', 'all', '--data', into, ...more]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text
      })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const says = async (what: RegExp) => {
      while (!what.test(said)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said}`)
        await sleep(50)
      }
    }
    return { child, ended, says, said: () => said }
  }

  async function told(of: string) {
    const store = await openStore({ dataDir: of, mode: 'read' })
    try {
      const { problemCount, hits, logs } = await store.status()
      return { problemCount, hits, logs, ...(await catalogueOf(store, 'dir://sample', ['signatures'])) }
    } finally {
      await store.close()
    }
  }

  test('the worker says so and waits, nothing published is lost, nothing can be frozen, and with room it goes on', async () => {
    const calm = join(root, 'calm')
    expect(await worker(calm).ended).toBe(0)
    fill(2 << 20)
    const follower = worker(dataDir, '--follow', '--every', '1s')
    await follower.says(/STORE_FULL: .* the disk is full; make room[\s\S]*STORE_FULL/)
    const half = await told(dataDir)
    expect(half.runs.length).toBeGreaterThan(0)
    expect((await verifyDirectory(dataDir)).faults).toEqual([])

    fill(0)
    const reader = await openStore({ dataDir, mode: 'read' })
    await expect(reader.putEvidence(sampleEvidence())).rejects.toMatchObject({ code: 'STORE_FULL', status: 503 })
    expect(await reader.evidence(sampleEvidence().id)).toBeUndefined()

    // A worker that waits ends as cleanly as any other.
    const waiting = worker(join(dir, 'waiting'), '--follow', '--every', '1h')
    await waiting.says(/STORE_FULL/)
    waiting.child.kill('SIGTERM')
    expect(await waiting.ended).toBe(0)

    rmSync(join(dir, BALLAST))
    await follower.says(/a pass has ended|runs found/)
    follower.child.kill('SIGTERM')
    expect(await follower.ended).toBe(0)
    await reader.putEvidence(sampleEvidence())
    await reader.close()
    expect((await verifyDirectory(dataDir)).faults).toEqual([])
    expect(await told(dataDir)).toEqual(await told(calm))
  }, 120_000)

  test('a worker that reads once ends with its code, and goes on when it is run again', async () => {
    const once = join(dir, 'once')
    fill(1 << 20)
    const first = worker(once)
    expect(await first.ended).toBe(2)
    expect(first.said()).toMatch(/^prowl: STORE_FULL: .*: the disk is full; make room/m)
    rmSync(join(dir, BALLAST))
    expect(await worker(once).ended).toBe(0)
    expect((await verifyDirectory(once)).faults).toEqual([])
    expect(await told(once)).toEqual(await told(join(root, 'calm')))
  }, 120_000)
})
