import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const MODULE = 'github.com/fsouza/fake-gcs-server@v1.56.1'

/** Google Cloud Storage's emulator, as a process of its own. */
export interface FakeGcs {
  /** e.g. `http://127.0.0.1:34567` */
  readonly endpoint: string
  createBucket(bucket: string): Promise<void>
  upload(bucket: string, object: UploadedObject): Promise<void>
  /** Uploads every file below `dir` that `keep` lets pass, by its path there; how many. */
  seed(bucket: string, dir: string, options?: SeedOptions): Promise<number>
  reset(): Promise<void>
  stop(): void
}

interface UploadedObject {
  readonly name: string
  readonly bytes: Uint8Array
  readonly contentType?: string
  readonly contentEncoding?: string
  readonly metadata?: Readonly<Record<string, string>>
}

interface SeedOptions {
  readonly keep?: (name: string) => boolean
  /** Objects that hold gzip get `Content-Encoding: gzip`, as Prow uploads them since 2019; on by default. */
  readonly labelGzip?: boolean
}

/**
 * The emulator's binary: on PATH, or where Go installs, or installed there now (minutes, once). Undefined where there
 * is neither; with CI=true that throws, so that nothing is skipped there.
 */
export function fakeGcsBinary(): string | undefined {
  const found = onPath('fake-gcs-server') ?? installed() ?? install()
  if (found === undefined && process.env.CI === 'true')
    throw new Error(`fake-gcs-server is missing; install Go, or: go install ${MODULE}`)
  return found
}

/** Starts the emulator on a free port; it ends with this process. In memory, or over a directory. */
export async function startFakeGcs(binary: string, options: { readonly root?: string } = {}): Promise<FakeGcs> {
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const backend = options.root === undefined ? ['memory'] : ['filesystem', '-filesystem-root', options.root]
  const flags = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-public-host', address]
  const child = spawn(binary, [...flags, '-log-level', 'warn', '-backend', ...backend], { stdio: 'ignore' })
  const stop = () => void child.kill('SIGKILL')
  process.once('exit', stop)
  const endpoint = `http://${address}`
  await ready(child, endpoint)
  return {
    endpoint,
    createBucket: (bucket) => post(`${endpoint}/storage/v1/b?project=test`, JSON.stringify({ name: bucket })),
    upload: (bucket, object) => upload(endpoint, bucket, object),
    seed: (bucket, dir, seeding = {}) => seed(endpoint, bucket, dir, seeding),
    reset: () => post(`${endpoint}/_internal/delete_all`, ''),
    stop: () => {
      process.off('exit', stop)
      stop()
    },
  }
}

function onPath(name: string): string | undefined {
  const dirs = (process.env.PATH ?? '').split(':')
  return dirs.map((dir) => join(dir, name)).find((path) => existsSync(path))
}

function installed(): string | undefined {
  const go = onPath('go')
  if (go === undefined) return undefined
  const path = join(execFileSync(go, ['env', 'GOPATH'], { encoding: 'utf8' }).trim(), 'bin', 'fake-gcs-server')
  return existsSync(path) ? path : undefined
}

function install(): string | undefined {
  const go = onPath('go')
  if (go === undefined) return undefined
  console.info(`installing ${MODULE}: some minutes, once`)
  try {
    execFileSync(go, ['install', MODULE], { stdio: 'inherit' })
  } catch {
    return undefined
  }
  return installed()
}

async function ready(child: ChildProcess, endpoint: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`fake-gcs-server ended with ${child.exitCode}`)
    const answer = await fetch(`${endpoint}/_internal/healthcheck`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(50)
  }
  child.kill('SIGKILL')
  throw new Error('fake-gcs-server did not get ready')
}

async function post(url: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

async function upload(endpoint: string, bucket: string, { bytes, ...object }: UploadedObject): Promise<void> {
  const boundary = 'prowl-part-of-an-upload'
  const head = (type: string) => `--${boundary}\r\ncontent-type: ${type}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(`${head('application/json')}${JSON.stringify(object)}\r\n`),
    Buffer.from(head(object.contentType ?? 'application/octet-stream')),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const url = `${endpoint}/upload/storage/v1/b/${bucket}/o?uploadType=multipart`
  await post(url, new Uint8Array(body), `multipart/related; boundary=${boundary}`)
}

async function seed(endpoint: string, bucket: string, dir: string, options: SeedOptions): Promise<number> {
  const { keep = () => true, labelGzip = true } = options
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const names = paths.map((path) => path.slice(dir.length).replace(/^\/+/, '')).filter(keep)
  for (const name of names.sort()) {
    const bytes = await readFile(join(dir, name))
    const gzip = labelGzip && bytes[0] === 0x1f && bytes[1] === 0x8b
    await upload(endpoint, bucket, { name, bytes, ...(gzip ? { contentEncoding: 'gzip' } : {}) })
  }
  return names.length
}
