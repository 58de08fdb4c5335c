import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { snowflakeAt } from '#lib/model/build-id.ts'
import { migrate } from '#lib/service/migrate.ts'
import { FILLING_KEY } from '#lib/store/entries.ts'
import { openStore } from '#lib/store/open.ts'
import type { Store } from '#lib/store/store.ts'
import { mayHaveChanged } from './read/look.ts'
import { runIngest } from './run-ingest.ts'
import { finishedRun, temporaryDirectory, writeFiles } from './testing/bucket.ts'

const HOUR = 3_600_000
const NOW = Date.now()
const HEARTBEAT =
  'failed to send heartbeat for resource "r": Post http://boskos.ci/update?name=r&owner=o&state=leased: EOF\n'

const pathOf = (hours: number) => `logs/job-${hours}/${snowflakeAt(NOW - hours * HOUR)}`
const run = (hours: number) =>
  finishedRun(pathOf(hours), {
    at: NOW - hours * HOUR,
    result: 'FAILURE',
    files: { 'build-log.txt': `a\n${HEARTBEAT}` },
  })

async function stored<T>(
  dataDir: string,
  use: (store: Store) => Promise<T>,
  mode: 'read' | 'write' = 'read',
): Promise<T> {
  const store = await openStore({ dataDir, mode })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const ingest = (bucket: string, dataDir: string) =>
  runIngest({ bucket, dataDir, signatureDirs: ['signatures'], sinceMs: undefined, everyMs: undefined })

/** What people see of the past. */
const history = async (store: Store) => ({
  hits: (await store.hits({}, { limit: 100 })).items,
  incidents: await store.incidents({}),
  rollups: await store.rollups({}),
  exposure: await store.exposure('boskos.heartbeat', 0, NOW),
})

describe('a store that was moved', () => {
  it('gets its text from the bucket again; what the bucket has lost or is losing keeps its hits, and incidents their ids', async () => {
    const bucket = temporaryDirectory()
    const [from, to] = [join(temporaryDirectory(), 'from'), join(temporaryDirectory(), 'to')]
    const [kept, lost, losing] = [30, 50, 70]
    writeFiles(bucket, { ...run(kept), ...run(lost), ...run(losing) })
    await ingest(bucket, from)
    const before = await stored(from, history)
    // Of the signature, and of the part of it.
    expect(before.incidents).toHaveLength(6)

    await stored(to, (store) => migrate(from, store), 'write')
    expect(await stored(to, history)).toEqual(before)
    rmSync(join(bucket, pathOf(lost)), { recursive: true })
    rmSync(join(bucket, pathOf(losing), 'finished.json'))
    await ingest(bucket, to)
    expect(await stored(to, history)).toEqual(before)
    const expired = await stored(to, async (store) => {
      const key = (hours: number) => ({ bucket: `dir://${basename(bucket)}`, path: pathOf(hours) })
      return await Promise.all([kept, lost, losing].map(async (hours) => (await store.run(key(hours)))?.expired))
    })
    expect(expired).toEqual([false, true, true])
  })

  it('is looked at again however long ago its runs were read', () => {
    const options = { settings: 'abc', source: { local: false }, now: () => NOW } as Parameters<
      typeof mayHaveChanged
    >[1]
    const stamp = { path: 'p', result: 'success', time: 1, firstSeen: 1 } as const
    expect(mayHaveChanged({ ...stamp, fingerprint: 'unread:abc.d.e' }, options)).toBe(true)
    expect(mayHaveChanged({ ...stamp, fingerprint: 'abc.d.e' }, options)).toBe(false)
  })

  it('is followed by no worker before it is whole', async () => {
    const bucket = temporaryDirectory()
    const to = join(temporaryDirectory(), 'to')
    writeFiles(bucket, run(30))
    await stored(to, (store) => store.putState(FILLING_KEY, { from: '/elsewhere' }), 'write')
    await expect(ingest(bucket, to)).rejects.toMatchObject({ code: 'STORE_UNFINISHED' })
  })
})
