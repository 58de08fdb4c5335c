import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../open.ts'
import { answers } from '../same-answers.ts'

const KILLS = 20
const CALLS_A_LIFE = 110
let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'prowl-kill-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test(`a worker killed at ${KILLS} moments leaves what an undisturbed one leaves`, async () => {
  const calm = join(root, 'calm')
  expect(await live(calm, Infinity)).toBe('done')

  const random = xoroshiro128plus(20261103)
  const killed = join(root, 'killed')
  let kills = 0
  while ((await live(killed, kills < KILLS ? uniformInt(random, 1, CALLS_A_LIFE) : Infinity)) === 'killed') kills++

  expect(kills).toBe(KILLS)
  expect(await everything(killed)).toEqual(await everything(calm))
  expect(leftovers(killed)).toEqual({ orphans: 0, strays: [] })
}, 300_000)

/** Runs the driver until it is done, or kills it once it has made so many calls. */
async function live(dataDir: string, calls: number): Promise<'done' | 'killed'> {
  const child = spawn(process.execPath, ['lib/testing/store-driver.ts', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  let made = 0
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  child.stdout.on('data', (dots) => {
    made += dots.length
    if (made >= calls) child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  if (signal === 'SIGKILL') return 'killed'
  if (code !== 0) throw new Error(`the driver ended with ${code}: ${errors}`)
  return 'done'
}

async function everything(dataDir: string): Promise<unknown> {
  const store = await openStore({ dataDir, mode: 'read' })
  try {
    return await answers(store, [{ filter: {}, limit: 50 }])
  } finally {
    await store.close()
  }
}

/** Blocks that no published log names, and files that the catalogue does not list. */
function leftovers(dataDir: string) {
  const catalogue = new DatabaseSync(join(dataDir, 'catalogue.sqlite'), { readOnly: true })
  const files = catalogue.prepare('SELECT id, name FROM files').all()
  const named = catalogue.prepare('SELECT count(l.text) AS n FROM runs r JOIN logs l ON l.run = r.id WHERE r.file = ?')
  const orphans = files.map(({ id = null, name }) => {
    const db = new DatabaseSync(join(dataDir, 'days', String(name)), { readOnly: true })
    const texts = db.prepare('SELECT count(*) AS n FROM texts').get()?.n
    const loose = db.prepare('SELECT count(*) AS n FROM bytes WHERE id NOT IN (SELECT id FROM blocks)').get()?.n
    db.close()
    return Number(texts) - Number(named.get(id)?.n) + Number(loose)
  })
  catalogue.close()
  const listed = new Set(files.map(({ name }) => name))
  const strays = readdirSync(join(dataDir, 'days')).filter((name) => !listed.has(name.replace(/-(wal|shm)$/, '')))
  return { orphans: orphans.reduce((sum, each) => sum + each, 0), strays }
}
