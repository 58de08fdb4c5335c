import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

const LIMITS = { atOnce: 2, waiting: 3, waitMs: 60_000 }
const BUSY = { code: 'SEARCH_BUSY', status: 503 }

/** Work that ends when it is told to; in `begun` and `ended` by name. */
function works(gate: ReturnType<typeof createGate>) {
  const [begun, ended]: [string[], string[]] = [[], []]
  const ends = new Map<string, () => void>()
  const ask = (name: string, signal?: AbortSignal) => {
    const told = gate.pass(async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      ended.push(name)
      return name
    }, signal)
    told.catch(() => {})
    return told
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await sleep(1)
  }
  return { begun, ended, ask, end }
}

test('so many are under way, the next wait in order, and those beyond are refused', async () => {
  const gate = createGate(LIMITS)
  const { begun, ask, end } = works(gate)
  for (const name of 'abcde') void ask(name)
  await expect(ask('f')).rejects.toMatchObject(BUSY)
  expect(gate.load()).toEqual({ underWay: 2, waiting: 3 })
  expect(begun).toEqual(['a', 'b'])
  for (const name of 'abcde') await end(name)
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(gate.load()).toEqual({ underWay: 0, waiting: 0 })
})

test('of a burst of 500 each is served or refused, never more at once than may be, and the gate is free afterwards', async () => {
  const gate = createGate({ ...LIMITS, waiting: 100 })
  let [now, most] = [0, 0]
  const burst = Array.from({ length: 500 }, () =>
    gate.pass(async () => {
      most = Math.max(most, ++now)
      await sleep(1)
      now--
    }),
  )
  const told = await Promise.allSettled(burst)
  expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(102)
  for (const each of told) if (each.status === 'rejected') expect(each.reason).toMatchObject(BUSY)
  expect(most).toBe(2)
  expect(gate.load()).toEqual({ underWay: 0, waiting: 0 })
})

test('who leaves while waiting frees the place, and who fails passes it on', async () => {
  const gate = createGate({ ...LIMITS, atOnce: 1 })
  const { begun, ask, end } = works(gate)
  void ask('a')
  const leaving = new AbortController()
  const left = ask('b', leaving.signal)
  const failing = gate.pass(() => Promise.reject(new Error('broken')))
  failing.catch(() => {})
  void ask('c')
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(gate.load()).toEqual({ underWay: 1, waiting: 2 })
  await end('a')
  await expect(failing).rejects.toThrow('broken')
  await sleep(1)
  expect(begun).toEqual(['a', 'c'])
  await expect(ask('d', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
})

test('who has waited too long is refused', async () => {
  const gate = createGate({ ...LIMITS, atOnce: 1, waitMs: 5 })
  const { ask } = works(gate)
  void ask('a')
  await expect(ask('b')).rejects.toMatchObject(BUSY)
  expect(gate.load()).toEqual({ underWay: 1, waiting: 0 })
})
