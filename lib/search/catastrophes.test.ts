import { RE2JS } from 're2js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool, type Pool, StuckError } from './pool.ts'
import { CATASTROPHES } from './testing/catastrophes.ts'

let pool: Pool
beforeAll(() => {
  pool = createPool(1)
})
afterAll(() => pool.close())

const count = (pattern: string, line: string) => {
  const block = { ref: { day: '2026-11-03', id: '1' }, bytes: Buffer.from(line), ascii: /^[\0-\x7f]*$/.test(line) }
  const guard = { stop: new AbortController().signal, stuckMs: 500 }
  return pool.count({ patterns: [pattern], excludes: [], blocks: [{ ...block, firstLine: 1, afterLine: 0 }] }, guard)
}

test.each(CATASTROPHES)(
  '$pattern is decided rightly or given up, and the thread is free again',
  async ({ pattern, line }) => {
    const smart = /[A-Z]/.test(pattern) ? 0 : RE2JS.CASE_INSENSITIVE
    try {
      expect((await count(pattern, line))[0]?.any).toBe(RE2JS.compile(pattern, smart).matcher(line).find() ? 1 : 0)
    } catch (error) {
      expect(error).toBeInstanceOf(StuckError)
    }
    expect((await count('needle', 'a needle'))[0]?.any).toBe(1)
  },
)
