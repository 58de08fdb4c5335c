import dns from 'node:dns'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { PassThroughClient } from 'google-auth-library'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fakeGcsBinary, startFakeGcs } from '#lib/testing/fake-gcs.ts'
import { startFaultProxy } from '#lib/testing/fault-proxy.ts'
import { temporaryDirectory } from '../testing/bucket.ts'
import { BUCKET, fillBucket, openFaulty, readAll, TEXT } from './behind-proxy.ts'
import { openGcs } from './gcs.ts'
import { politeFor } from './host.ts'
import { MediaClient } from './media.ts'

delete process.env.STORAGE_EMULATOR_HOST

const binary = fakeGcsBinary()
const server = binary === undefined ? undefined : await startFakeGcs(binary)
beforeAll(() => server && fillBucket(server))
afterAll(() => server?.stop())
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const ONCE = { retries: 0, delayMs: 1, maxDelayMs: 1 }

/** Every `host:port` that this process connects to, and every name it looks up, from now on. */
function contacts(): Set<string> {
  const hosts = new Set<string>()
  const [connect, lookup] = [Socket.prototype.connect, dns.lookup]
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [options] = args.flat() as [{ host?: string; port?: number }]
    hosts.add(`${options.host}:${options.port}`)
    return Reflect.apply(connect, this, args)
  })
  vi.spyOn(dns, 'lookup').mockImplementation(((...args: unknown[]) => {
    hosts.add(String(args[0]))
    return Reflect.apply(lookup, dns, args)
  }) as typeof dns.lookup)
  return hosts
}

/** Sends all that this process asks of the network to a proxy that passes nothing on. */
async function cutOff() {
  const proxy = await startFaultProxy('http://127.0.0.1:9', { hosts: [] })
  onTestFinished(() => proxy.close())
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) vi.stubEnv(name, proxy.endpoint)
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
  return proxy
}

describe('anonymous access', () => {
  it('asks for nothing but Google’s storage host', async () => {
    const proxy = await cutOff()
    const hosts = contacts()
    await expect(openGcs('some-bucket', { retries: ONCE })).rejects.toMatchObject({ code: 'BUCKET_UNREACHABLE' })
    const base = 'https://storage.googleapis.com/storage/v1/b/some-bucket'
    const host = politeFor(base, { retries: ONCE })
    const media = new MediaClient(base, host, new PassThroughClient(), { retries: ONCE })
    expect((await readAll(media.read('x', undefined))).error).toMatchObject({ code: 'OBJECT_UNREADABLE' })
    await host.close()
    expect(proxy.refused.length).toBeGreaterThanOrEqual(2)
    expect(new Set(proxy.refused)).toEqual(new Set(['storage.googleapis.com:443']))
    expect([...hosts]).toEqual([new URL(proxy.endpoint).host])
  })

  it.skipIf(server === undefined)('asks for nothing but the endpoint that is given', async () => {
    const gcs = server as NonNullable<typeof server>
    vi.stubEnv('NO_PROXY', '127.0.0.1')
    const hosts = contacts()
    const source = await openGcs(BUCKET, { endpoint: gcs.endpoint })
    await source.list({ prefix: 'list/' })
    await source.stat('text')
    expect((await readAll(source.read('text'))).bytes.equals(TEXT)).toBe(true)
    await source.close()
    expect([...hosts]).toEqual([new URL(gcs.endpoint).host])
  })
})

/** A token service as of workload identity federation, and the credentials file that names it. */
async function tokenService(answer?: { status: number; body: object }) {
  const asked: string[] = []
  const tokens = createServer(async (request, response) => {
    asked.push(Buffer.concat(await Array.fromAsync(request)).toString())
    if (answer)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    tokens.closeAllConnections()
    tokens.close()
  })
  const dir = temporaryDirectory()
  writeFileSync(join(dir, 'subject'), 'who-i-am')
  const file = join(dir, 'credentials.json')
  const credentials = {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
    credential_source: { file: join(dir, 'subject') },
  }
  writeFileSync(file, JSON.stringify(credentials))
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', file)
  return asked
}

describe('application default credentials', () => {
  it.skipIf(server === undefined)('go with every request, read-only, and are asked for once', async () => {
    vi.stubEnv('NO_PROXY', '127.0.0.1')
    const body = { access_token: 'let-me-in', issued_token_type: 'x', token_type: 'Bearer', expires_in: 3600 }
    const asked = await tokenService({ status: 200, body })
    const { source, proxy } = await openFaulty(server as NonNullable<typeof server>, onTestFinished, { auth: 'adc' })
    await source.list({ prefix: 'list/' })
    await source.stat('text')
    expect((await readAll(source.read('text'))).bytes.equals(TEXT)).toBe(true)
    expect(proxy.requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer let-me-in'))
    expect(asked.length).toBe(1)
    expect(new URLSearchParams(asked[0]).get('scope')).toBe('https://www.googleapis.com/auth/devstorage.read_only')
    proxy.fault({ kind: { kind: 'status', status: 403 } })
    const denied = await source.list({ prefix: '' }).catch((error: unknown) => error)
    expect(denied).toMatchObject({ code: 'BUCKET_DENIED', message: expect.stringContaining('these credentials') })
  })

  it.each<[string, () => Promise<unknown>]>([
    ['are missing', async () => vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '/no/such/file.json')],
    [
      'are none',
      async () => {
        const home = temporaryDirectory()
        vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', undefined)
        for (const name of ['HOME', 'CLOUDSDK_CONFIG', 'APPDATA']) vi.stubEnv(name, home)
        vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
      },
    ],
    [
      'are refused',
      () => tokenService({ status: 400, body: { error: 'invalid_grant', error_description: 'expired\ntwo lines' } }),
    ],
    ['come too late', () => tokenService()],
  ])('that %s are an error that says what to do', async (_, setUp) => {
    vi.stubEnv('NO_PROXY', '127.0.0.1')
    await setUp()
    const error = (await openGcs(BUCKET, { auth: 'adc', requestTimeoutMs: 1000 }).catch(
      (reason: unknown) => reason,
    )) as Error
    expect(error).toMatchObject({ code: 'BUCKET_CREDENTIALS' })
    expect(error.message).toContain('gcloud auth application-default login')
    expect(error.message).not.toContain('\n')
  })
})
