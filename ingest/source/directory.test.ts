import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryDirectory, writeFiles } from '../testing/bucket.ts'
import { describeSource } from './contract.ts'
import { openDirectory } from './directory.ts'

const contractRoot = mkdtempSync(join(tmpdir(), 'prowl-contract-'))
afterAll(() => rmSync(contractRoot, { recursive: true, force: true }))

describeSource('a directory', async () => {
  const put = async (name: string, bytes: Uint8Array) => {
    mkdirSync(dirname(join(contractRoot, name)), { recursive: true })
    writeFileSync(join(contractRoot, name), bytes)
  }
  return {
    put,
    fill: async (objects) => {
      for (const [name, bytes] of Object.entries(objects)) await put(name, bytes)
    },
    open: (pageSize) => openDirectory(contractRoot, pageSize === undefined ? {} : { pageSize }),
  }
})

describe('a directory', () => {
  it('never leaves its root through a link, and says so once', async () => {
    const outside = temporaryDirectory()
    writeFiles(outside, { 'secret.txt': 'secret', 'dir/secret.txt': 'secret' })
    const root = temporaryDirectory()
    writeFiles(root, { 'logs/real.txt': 'real', 'logs/dir/inner.txt': 'inner' })
    symlinkSync(join(outside, 'secret.txt'), join(root, 'logs/file-out'))
    symlinkSync(join(outside, 'dir'), join(root, 'logs/dir-out'))
    symlinkSync(join(root, 'logs/real.txt'), join(root, 'logs/file-in'))
    symlinkSync('..', join(root, 'logs/loop'))
    symlinkSync('nowhere', join(root, 'logs/dangling'))
    const warnings: string[] = []
    const source = await openDirectory(root, { onWarning: (message) => warnings.push(message) })
    for (let i = 0; i < 2; i++) {
      const listing = await source.list({ prefix: 'logs/', delimiter: '/' })
      expect(listing.objects.map((info) => info.name)).toEqual(['logs/file-in', 'logs/real.txt'])
      expect(listing.prefixes).toEqual(['logs/dir/'])
    }
    expect(warnings.map((message) => message.split(':')[0]).sort()).toEqual([
      'logs/dir-out',
      'logs/file-out',
      'logs/loop',
    ])
    expect(await source.stat('logs/dir-out/secret.txt')).toBeUndefined()
    expect((await source.list({ prefix: 'logs/dir-out/', delimiter: '/' })).objects).toEqual([])
    expect((await source.list({ prefix: '' })).objects.map((info) => info.name)).toEqual([
      'logs/dir/inner.txt',
      'logs/file-in',
      'logs/real.txt',
    ])
  })

  it('never waits on a pipe', async () => {
    const root = temporaryDirectory()
    execFileSync('mkfifo', [join(root, 'pipe')])
    const source = await openDirectory(root)
    expect((await source.list({ prefix: '', delimiter: '/' })).objects).toEqual([])
    await expect(source.read('pipe')[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' })
  })

  it('keeps generations through a copy that keeps times', async () => {
    const parent = temporaryDirectory()
    const root = join(parent, 'bucket')
    writeFiles(root, { 'logs/a.txt': 'text' })
    utimesSync(join(root, 'logs/a.txt'), 1_700_000_000.123, 1_700_000_000.123)
    const copy = join(parent, 'elsewhere', 'bucket')
    cpSync(root, copy, { recursive: true, preserveTimestamps: true })
    const [a, b] = [await openDirectory(root), await openDirectory(copy)]
    expect(a.bucket).toBe('dir://bucket')
    expect(b.bucket).toBe(a.bucket)
    expect((await b.stat('logs/a.txt'))?.generation).toBe((await a.stat('logs/a.txt'))?.generation)
  })

  it('says what is wrong with a root that can’t be read', async () => {
    const root = temporaryDirectory()
    writeFiles(root, { file: 'x', 'closed/x': 'x' })
    await expect(openDirectory(join(root, 'missing'))).rejects.toMatchObject({ code: 'BUCKET_NOT_FOUND' })
    await expect(openDirectory(join(root, 'file'))).rejects.toMatchObject({ code: 'BUCKET_NOT_DIRECTORY' })
    await expect(openDirectory(join(root, 'file', 'x'))).rejects.toMatchObject({ code: 'BUCKET_NOT_DIRECTORY' })
  })

  it('says that it may not read', async () => {
    const root = temporaryDirectory()
    writeFiles(root, { 'closed/x': 'x' })
    chmodSync(root, 0o755)
    chmodSync(join(root, 'closed'), 0)
    await asNobody(() => expect(openDirectory(join(root, 'closed'))).rejects.toMatchObject({ code: 'BUCKET_DENIED' }))
    chmodSync(join(root, 'closed'), 0o700)
  })
})

/** Root may read everything: the tests' own process is somebody else meanwhile. */
async function asNobody(run: () => Promise<void>): Promise<void> {
  const root = process.geteuid?.() === 0
  if (root) process.seteuid?.(65534)
  try {
    await run()
  } finally {
    if (root) process.seteuid?.(0)
  }
}
