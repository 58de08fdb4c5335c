import { expect, test } from 'vitest'
import { createRecent, type RecentOptions } from './recent.ts'

function recentOf(options: Partial<RecentOptions<string>> = {}) {
  const clock = { now: 0 }
  const recent = createRecent<string>({
    name: 'test',
    now: () => clock.now,
    ms: 100,
    most: 10,
    sizeOf: (text) => text.length,
    atOnce: 2,
    waiting: 1,
    ...options,
  })
  let made = 0
  const give = (key: string, value = key) =>
    recent.get(key, async () => {
      made++
      return value
    })
  return { clock, recent, give, made: () => made }
}

/** Makes that end when told to. */
function held() {
  const signals: AbortSignal[] = []
  const ends: ((value: string) => void)[] = []
  const make = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<string>((resolve) => ends.push(resolve))
  }
  return { signals, ends, make }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('is made once for all who ask within its time', async () => {
  const { clock, give, made } = recentOf()
  expect(await Promise.all([give('a'), give('a')])).toEqual(['a', 'a'])
  clock.now = 99
  await give('a')
  expect(made()).toBe(1)
  clock.now = 100
  await give('a')
  expect(made()).toBe(2)
})

test('the oldest make room, and what is too large is not kept', async () => {
  const { give, made } = recentOf()
  for (const key of ['aaaa', 'bbbb', 'cccc', 'cccc', 'bbbb']) await give(key)
  expect(made()).toBe(3)
  await give('aaaa')
  expect(made()).toBe(4)
  await give('large', 'x'.repeat(11))
  await give('large')
  expect(made()).toBe(6)
})

test('a failure is told and not kept', async () => {
  const { recent, give } = recentOf()
  await expect(recent.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await give('a')).toBe('a')
})

test('one reader leaves alone; the work ends with the last of them', async () => {
  const { recent } = recentOf()
  const { signals, ends, make } = held()
  const [first, second] = [new AbortController(), new AbortController()]
  const asked = [recent.get('a', make, first.signal), recent.get('a', make, second.signal)]
  await turn()
  first.abort(new Error('left'))
  await expect(asked[0]).rejects.toThrow('left')
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  second.abort(new Error('left, too'))
  await expect(asked[1]).rejects.toThrow('left, too')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  const anew = recent.get('a', make)
  await turn()
  ends[1]?.('made')
  expect(await anew).toBe('made')
})

test('so many at once, so many wait, others are refused', async () => {
  const { recent } = recentOf()
  const { signals, ends, make } = held()
  const asked = ['a', 'b', 'c'].map((key) => recent.get(key, make))
  await turn()
  expect(signals).toHaveLength(2)
  await expect(recent.get('d', make)).rejects.toMatchObject({ code: 'SEARCH_BUSY', status: 503 })
  const joined = recent.get('a', make)
  for (const end of ends) end('done')
  await turn()
  ends[2]?.('last')
  expect(await Promise.all([...asked, joined])).toEqual(['done', 'done', 'last', 'done'])
})
