import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { fakeGcsBinary, startFakeGcs } from '#lib/testing/fake-gcs.ts'
import { describeSource } from './contract.ts'
import { openGcs } from './gcs.ts'

delete process.env.STORAGE_EMULATOR_HOST
process.env.NO_PROXY = '127.0.0.1'

const binary = fakeGcsBinary()
const server = binary === undefined ? undefined : await startFakeGcs(binary)
afterAll(() => server?.stop())

describe.skipIf(server === undefined)('on fake-gcs-server', () => {
  const gcs = server as NonNullable<typeof server>

  describeSource('gs://', async () => {
    await gcs.createBucket('contract')
    const put = (name: string, bytes: Uint8Array) => {
      // Half of the gzip objects are labelled as such, half are not, as they are found.
      const labelled = bytes[0] === 0x1f && name.length % 2 === 0
      return gcs.upload('contract', { name, bytes, ...(labelled ? { contentEncoding: 'gzip' } : {}) })
    }
    return {
      put,
      fill: async (objects) => {
        for (const [name, bytes] of Object.entries(objects)) await put(name, bytes)
      },
      open: (pageSize) =>
        openGcs('contract', { endpoint: gcs.endpoint, ...(pageSize === undefined ? {} : { pageSize }) }),
    }
  })

  it('names a bucket that does not exist', async () => {
    await expect(openGcs('no-such-bucket', { endpoint: gcs.endpoint })).rejects.toMatchObject({
      code: 'BUCKET_NOT_FOUND',
    })
  })

  it('refuses a client that reads elsewhere than its transfers', async () => {
    process.env.STORAGE_EMULATOR_HOST = 'http://127.0.0.1:1'
    onTestFinished(() => void delete process.env.STORAGE_EMULATOR_HOST)
    await expect(openGcs('contract', { endpoint: gcs.endpoint })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('passes on what metadata an object has', async () => {
    await gcs.createBucket('metadata')
    const metadata = { 'x-goog-meta-link': 'gs://metadata/pr-logs/pull/o_r/1/j/2' }
    await gcs.upload('metadata', { name: 'pr-logs/directory/j/2.txt', bytes: Buffer.from('x'), metadata })
    const source = await openGcs('metadata', { endpoint: gcs.endpoint })
    const { objects } = await source.list({ prefix: 'pr-logs/directory/j/', delimiter: '/' })
    expect(objects[0]?.metadata).toEqual(metadata)
    await source.close()
  })
})
