import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurns, newShare, type Share } from './turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const OVERDUE_MS = 200
const LIGHT_MS = 1_000
const HEAVY_MS = 500
const TIMES = { overdueMs: OVERDUE_MS, heavyMs: HEAVY_MS, lightMs: LIGHT_MS }

/** Places, one more that may be lent, and work that lasts until it is told to end. What runs is what its name begins with. */
function world(places = 1) {
  const turns = createTurns({ places, lent: 1, ...TIMES })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const take = (name: string, share: Share, signal = new AbortController().signal) =>
    turns.take(
      share,
      name.split(' ')[0] ?? '',
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      signal,
    )
  const end = async (name: string, tookMs: number) => {
    await vi.advanceTimersByTimeAsync(tookMs)
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { take, begun, end }
}

test('who has had the least goes first, those who had as much in order', async () => {
  const { take, begun, end } = world()
  const heavy = newShare()
  const all = [take('heavy 1', heavy)]
  all.push(take('heavy 2', heavy), take('light 1', newShare()), take('light 2', newShare()))
  await end('heavy 1', 100)
  expect(heavy.usedMs).toBe(100)
  expect(begun).toEqual(['heavy 1', 'light 1'])
  await end('light 1', 1)
  await end('light 2', 1)
  expect(begun).toEqual(['heavy 1', 'light 1', 'light 2', 'heavy 2'])
  await end('heavy 2', 1)
  await Promise.all(all)
})

test('nobody waits longer for a turn than it has had of them, however many come', async () => {
  const { take, begun, end } = world()
  const heavy = newShare()
  const all = [take('heavy 1', heavy)]
  await end('heavy 1', 100)
  const from = performance.now()
  all.push(take('light 0', newShare()), take('heavy 2', heavy))
  for (let at = 1; !begun.includes('heavy 2') && at < 100; at++) {
    all.push(take(`light ${at}`, newShare()))
    await end(`light ${at - 1}`, 10)
  }
  // What it has had, and the turn of 10 ms that was under way then.
  expect(performance.now() - from).toBe(110)
})

test('who leaves gives up the wait, and holds up nobody', async () => {
  const { take, begun, end } = world()
  const reader = new AbortController()
  const all = [take('first', newShare())]
  const left = take('left', newShare(), reader.signal)
  all.push(take('last', { ...newShare(), usedMs: 5 }))
  reader.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  await expect(take('too late', newShare(), reader.signal)).rejects.toThrow('left')
  await end('first', 1)
  expect(begun).toEqual(['first', 'last'])
  await end('last', 1)
  await Promise.all(all)
})

test('a place is free again after work that failed', async () => {
  const turns = createTurns({ places: 1, lent: 0, ...TIMES })
  const { signal } = new AbortController()
  const failing = turns.take(newShare(), 'x', () => Promise.reject(new Error('no')), signal)
  const next = turns.take(newShare(), 'x', async () => 'next', signal)
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('a turn that does not end lends its place to light searches, as many as may be', async () => {
  const { take, begun, end } = world()
  const stuck = newShare()
  const all = [take('stuck', stuck), take('stuck too', stuck), take('heavy', { ...newShare(), usedMs: LIGHT_MS })]
  all.push(take('light 1', newShare()), take('light 2', newShare()))
  await vi.advanceTimersByTimeAsync(OVERDUE_MS - 1)
  expect(begun).toEqual(['stuck'])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['stuck', 'light 1'])
  await end('light 1', 2)
  expect(begun).toEqual(['stuck', 'light 1', 'light 2'])
  await end('light 2', 1)
  expect(begun).toHaveLength(3)
  all.push(take('light 3', newShare()))
  await end('light 3', 1)
  // What was lent is given back.
  await end('stuck', 1)
  await end('stuck too', 1)
  expect(begun).toEqual(['stuck', 'light 1', 'light 2', 'light 3', 'stuck too', 'heavy'])
  await end('heavy', 1)
  await Promise.all(all)
})

test('who has a turn that does not end comes after all others', async () => {
  const { take, begun, end } = world(2)
  const stuck = newShare()
  const all = [take('stuck 1', stuck), take('other', newShare())]
  await vi.advanceTimersByTimeAsync(OVERDUE_MS)
  all.push(take('stuck 2', stuck), take('heavy', { ...newShare(), usedMs: LIGHT_MS }))
  await end('other', 1)
  expect(begun.slice(2)).toEqual(['heavy'])
  await end('heavy', 1)
  expect(begun.slice(2)).toEqual(['heavy', 'stuck 2'])
  await end('stuck 1', 1)
  await end('stuck 2', 1)
  await Promise.all(all)
})

test('what once ran for long lends its place at once when it comes again, and none is lent to it', async () => {
  const { take, begun, end } = world()
  const all = [take('slow 1', newShare()), take('slower 1', newShare())]
  await end('slow 1', HEAVY_MS + 1)
  await end('slower 1', HEAVY_MS + 1)
  all.push(take('slow 2', newShare()), take('slower 2', newShare()), take('light 1', newShare()))
  await vi.advanceTimersByTimeAsync(1)
  expect(begun.slice(2)).toEqual(['slow 2', 'light 1'])
  await end('light 1', 1)
  expect(begun.slice(2)).toEqual(['slow 2', 'light 1'])
  await end('slow 2', 1)
  await end('slower 2', 1)
  expect(begun.slice(2)).toEqual(['slow 2', 'light 1', 'slower 2'])
  await Promise.all(all)
})
