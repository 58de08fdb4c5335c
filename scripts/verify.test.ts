import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueOf } from '#ingest/testing/catalogue-of.ts'
import { openStore } from '#lib/store/open.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'

const root = mkdtempSync(join(tmpdir(), 'prowl-verify-command-'))
const [bucket, dataDir] = [join(root, 'sample'), join(root, 'data')]

beforeAll(async () => {
  await generateSample({ dir: bucket, seed: 11, end: Date.now(), scale: 0.01 })
  expect((await ingest()).code).toBe(0)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function run(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }))
  })
}
const ingest = () => run(['ingest/main.ts', '--bucket', bucket, '--since', 'all', '--data', dataDir])
const verify = (...args: string[]) => run(['scripts/verify.ts', '--data', dataDir, ...args])

async function told() {
  const store = await openStore({ dataDir, mode: 'read' })
  try {
    return (await catalogueOf(store, 'dir://sample', ['signatures'])).told
  } finally {
    await store.close()
  }
}

test('a directory that the worker filled is sound', async () => {
  const { code, out } = await verify()
  expect(code).toBe(0)
  expect(out).toMatch(/^sound: \d+ files, \d+ runs, \d+ hits, \d+ blocks, \d+ segments, 0 evidence\n$/)
  expect(JSON.parse((await verify('--json')).out)).toMatchObject({ sound: true, faults: [], repaired: 0 })
})

test('damage is a line each with its code, is mended, and the worker reads again what was lost', async () => {
  const before = await told()
  const days = readdirSync(join(dataDir, 'days')).filter((name) => name.endsWith('.sqlite'))
  for (const name of days) {
    const db = new DatabaseSync(join(dataDir, 'days', name))
    db.exec('UPDATE bytes SET zstd = zeroblob(length(zstd)) WHERE id % 2 = 1')
    db.exec('UPDATE segments SET last = last + 1')
    db.close()
  }
  const found = await verify()
  expect(found.code).toBe(1)
  expect(found.out).toMatch(/^BLOCK_DAMAGED days\/\S+: .*; with --repair the run is read again$/m)
  expect(found.out).toMatch(/^INDEX_DAMAGED days\/\S+: .*; with --repair the segment is made anew$/m)
  const mended = await verify('--repair')
  expect(mended.code).toBe(1)
  expect(mended.out).not.toMatch(/INDEX_DAMAGED/)
  expect(mended.out).toMatch(/^BLOCK_DAMAGED .*; the worker’s next pass reads it again$/m)
  expect(mended.out).toMatch(/^\d+ faults are mended; \d+ faults: /m)
  expect((await ingest()).code).toBe(0)
  expect((await verify()).out).toMatch(/^sound: /)
  expect(await told()).toEqual(before)
})

test('what can not be looked at ends with 2', async () => {
  const nothing = await run(['scripts/verify.ts', '--data', join(root, 'none')])
  expect(nothing).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^prowl: CONFIG_INVALID: .* holds nothing/),
  })
  expect(await verify('--nonsense')).toMatchObject({ code: 2 })
  const store = await openStore({ dataDir, mode: 'write' })
  expect((await verify()).code).toBe(0)
  await store.close()
})
