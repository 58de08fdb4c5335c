import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { logText } from './corpus/log-text.ts'
import { planDay } from './corpus/plan.ts'
import { PATTERNS } from './patterns.ts'
import { countLines, peersOf } from './peers.ts'
import { prepare, reuse, type Wanted } from './prepare.ts'

const KIB = 1024
const GIB = 2 ** 30
const dir = mkdtempSync(join(tmpdir(), 'prowl-bench-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const dumps = PATTERNS.filter(({ name }) => name.endsWith('dump'))

test('a line that matches by chance is counted: of 14 GiB of seed 1 one looks like a dump', () => {
  const plan = planDay(1, 7, GIB)[626]
  if (!plan) throw new Error('the day has no such log')
  expect(plan.holds).toEqual([])
  writeFileSync(join(dir, 'log.txt'), [...logText(1, plan)].join(''))
  const counts = countLines(
    peersOf({ plain: join(dir, 'log.txt'), ciSearch: dir }),
    dumps.map(({ pattern }) => pattern),
  )
  expect(Object.values(counts)).toEqual([1, 1])
})

describe('a corpus of several days', () => {
  const patterns = PATTERNS.filter(({ kind }) => kind === 'literal' || kind === 'common')
  const wanted: Wanted = { seed: 1, bytes: 512 * KIB, days: 2, patterns }

  test('keeps no text, but what ripgrep counted in each day’s, and is used again by who asks for no more', async () => {
    const prepared = await prepare(dir, wanted, () => {})
    const days = [0, 1].flatMap((day) => planDay(1, day, wanted.bytes).flatMap((plan) => [...logText(1, plan)]))
    const lines = days.join('').split('\n')
    const panics = lines.filter((line) => /panic/i.test(line)).length
    expect(panics).toBeGreaterThan(0)
    expect(prepared.counts).toMatchObject({ panic: panics, DiskPressureEvictionLoop: 6 })
    expect(reuse(dir, wanted)).toEqual(prepared)
    expect(() => reuse(dir, { ...wanted, patterns: dumps })).toThrow(/of this size, days, seed and patterns/)
    expect(() => reuse(dir, { ...wanted, days: 1 })).toThrow(/run once without --reuse/)
  })
})
