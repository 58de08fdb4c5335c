import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool, GRACE_MS, type Guard, type Pool } from './pool.ts'

/** Backtracks without end on STUCK: V8's linear engine takes no such counts. */
const CATASTROPHE = '^(?:x+x+){17,40}y'
const STUCK = 'x'.repeat(60)
/** No block is ever given up by itself. */
const NEVER_MS = 2 ** 31 - 1

let pool: Pool
beforeAll(() => {
  pool = createPool(1)
})
afterAll(() => pool.close())

const blocks = [STUCK, STUCK].map((text, at) => ({
  ref: { day: '2026-11-03', id: String(at) },
  bytes: Buffer.from(text),
  ascii: true,
  firstLine: 1,
  afterLine: 0,
}))
const lines = (guard: Guard) =>
  pool.verify({ patterns: [CATASTROPHE], excludes: [], blocks, context: 0, maxLinesPerBlock: 9, maxLines: 9 }, guard)
const count = (guard: Guard) => pool.count({ patterns: [CATASTROPHE], excludes: [], blocks }, guard)
const jobs = (guard: Guard) => pool.names({ names: [STUCK], patterns: [], excludes: [], include: CATASTROPHE }, guard)

test.each([
  ['lines', lines],
  ['counts', count],
  ['job names', jobs],
])('a reader who leaves frees the only thread amid a pattern that never ends: %s', async (_, task) => {
  const reader = new AbortController()
  const left = task({ stop: reader.signal, stuckMs: NEVER_MS })
  await setTimeout(300)
  expect(pool.load()).toEqual({ threads: 1, tasks: 1 })
  reader.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const next = { stop: new AbortController().signal, stuckMs: NEVER_MS }
  expect(await pool.names({ names: ['a', 'b'], patterns: [], excludes: [], include: 'a' }, next)).toEqual(['a'])
  // The other thread takes it while the first is being ended.
  await expect.poll(() => pool.load()).toEqual({ threads: 1, tasks: 0 })
})

test('a task that waits its turn is never begun once its reader has left', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const running = count({ stop: first.signal, stuckMs: NEVER_MS })
  const waiting = count({ stop: second.signal, stuckMs: NEVER_MS })
  second.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  first.abort(new Error('left too'))
  await expect(running).rejects.toThrow('left too')
  const next = { stop: new AbortController().signal, stuckMs: NEVER_MS }
  expect(await pool.names({ names: ['a'], patterns: [], excludes: [] }, next)).toEqual(['a'])
  await expect.poll(() => pool.load().tasks).toBe(0)
})

test('threads may be ended in the moment in which they answer', async () => {
  for (let round = 0; round < 4; round++) {
    const closing = createPool(2)
    const reader = new AbortController()
    const some = blocks.map((block) => ({ ...block, bytes: Buffer.from('y') }))
    const task = () =>
      closing
        .count({ patterns: ['x'], excludes: [], blocks: some }, { stop: reader.signal, stuckMs: NEVER_MS })
        .catch(String)
    await task()
    const all = Array.from({ length: 100 }, task)
    reader.abort(new Error('left'))
    expect(new Set(await Promise.all(all))).toEqual(new Set(['Error: left']))
    await closing.close()
  }
})

test('a thread that does not notice by itself is ended within 100 ms', () => {
  expect(GRACE_MS).toBeLessThan(100)
})
