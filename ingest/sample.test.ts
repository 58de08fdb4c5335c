import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#lib/store/open.ts'
import { fakeGcsBinary, startFakeGcs } from '#lib/testing/fake-gcs.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { jobFilter } from './discover/discovery.ts'
import { listingDiscovery } from './discover/listing.ts'
import { runIngest } from './run-ingest.ts'
import { openSource } from './source/open.ts'
import { catalogueOf } from './testing/catalogue-of.ts'

delete process.env.STORAGE_EMULATOR_HOST
process.env.NO_PROXY = '127.0.0.1'

const binary = fakeGcsBinary()
const SIGNATURES = ['signatures']

describe.skipIf(binary === undefined)('the sample bucket, from a directory and from fake-gcs-server', () => {
  const root = mkdtempSync(join(tmpdir(), 'prowl-sample-'))
  const directory = join(root, 'sample')
  let gcs: Awaited<ReturnType<typeof startFakeGcs>>

  beforeAll(async () => {
    await generateSample({ dir: directory, seed: 7, end: Date.now(), scale: 0.01 })
    gcs = await startFakeGcs(binary ?? '')
    await gcs.createBucket('sample')
    await gcs.seed('sample', directory)
  })
  afterAll(() => {
    gcs?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const read = async (bucket: string, dataDir: string) => {
    const options = { bucket, dataDir, signatureDirs: SIGNATURES, sinceMs: undefined, everyMs: undefined }
    await runIngest({ ...options, gcsEndpoint: gcs.endpoint })
    return await openStore({ dataDir, mode: 'read' })
  }

  it('gives the same catalogue', async () => {
    const [local, remote] = [
      await read(directory, join(root, 'local')),
      await read('gs://sample', join(root, 'remote')),
    ]
    const [a, b] = [
      await catalogueOf(local, 'dir://sample', SIGNATURES),
      await catalogueOf(remote, 'gs://sample', SIGNATURES),
    ]
    await Promise.all([local.close(), remote.close()])
    expect(a.runs.length).toBeGreaterThan(40)
    expect(new Set(a.runs.map((run) => run.type))).toContain('batch')
    expect(new Set(a.runs.map((run) => run.result))).toContain('failure')
    expect(b.told).toEqual(a.told)
  })

  it('finds the same runs since a time', async () => {
    const find = async (spec: string) => {
      const source = await openSource(spec, { gcsEndpoint: gcs.endpoint })
      const from = Date.now() - 60 * 86_400_000
      const jobs = jobFilter(undefined, undefined)
      const { runs } = await listingDiscovery(source).find({ jobs, from, knownTimes: async () => new Map() })
      await source.close()
      return runs.map((run) => run.path).sort()
    }
    const paths = await find(directory)
    expect(paths.length).toBeGreaterThan(10)
    expect(await find('gs://sample')).toEqual(paths)
  })
})
