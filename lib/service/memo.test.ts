import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { DAY, MINUTE, makeSignature } from '../testing/values.ts'
import { createMemo, kept } from './memo.ts'
import { putIngestState } from './passes.ts'

function counting() {
  let made = 0
  return {
    make: async () => ++made,
    get made() {
      return made
    },
  }
}

describe('what was made', () => {
  test('is given again while its stamp is equal, by name', async () => {
    const memo = createMemo(() => 0)
    const [a, b] = [counting(), counting()]
    expect([await memo.keep('a', { stamp: [1] }, a.make), await memo.keep('a', { stamp: [1] }, a.make)]).toEqual([1, 1])
    expect(await memo.keep('b', { stamp: [1] }, b.make)).toBe(1)
    expect([memo.known('b'), memo.known('c')]).toEqual([1, undefined])
    expect(await memo.keep('a', { stamp: [2] }, a.make)).toBe(2)
  })

  test('is made anew after a minute, and given as it was meanwhile', async () => {
    let now = 0
    const memo = createMemo(() => now)
    const { make } = counting()
    expect(await memo.keep('a', { stamp: 1 }, make)).toBe(1)
    now = MINUTE
    expect(await Promise.all([memo.keep('a', { stamp: 1 }, make), memo.keep('a', { stamp: 1 }, make)])).toEqual([1, 1])
    await setImmediate()
    expect(await memo.keep('a', { stamp: 1 }, make)).toBe(2)
  })

  test('by many at once is made once, and a fault is not kept', async () => {
    const memo = createMemo(() => 0)
    const { make } = counting()
    expect(await Promise.all([1, 2, 3].map(() => memo.keep('a', { stamp: 1 }, make)))).toEqual([1, 1, 1])
    await expect(memo.keep('b', { stamp: 1 }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await memo.keep('b', { stamp: 1 }, make)).toBe(2)
  })

  test('of many names the oldest goes', async () => {
    const memo = createMemo(() => 0)
    const { make } = counting()
    await memo.keep('first', { stamp: 1 }, make)
    for (let n = 0; n < 200; n++) await memo.keep(`${n}`, { stamp: 1 }, make)
    expect(await memo.keep('first', { stamp: 1 }, make)).toBe(202)
  })
})

test('a context keeps until something was read, a signature changed, or the day is over', async () => {
  let now = Date.UTC(2026, 10, 3)
  const store = createReferenceStore()
  let signatures = [makeSignature({ id: 's' })]
  const ctx = {
    ...makeContext(store, [], now),
    now: () => now,
    catalogue: async () => ({ signatures, problems: [] }),
    memo: createMemo(() => 0),
  }
  const { make } = counting()
  const next = () => kept(ctx, 'x', make)
  expect([await next(), await next()]).toEqual([1, 1])
  await putIngestState(store, { bucket: 'gs://ci', passStartedAt: 1, done: 1, total: 1 })
  expect([await next(), await next()]).toEqual([2, 2])
  signatures = [makeSignature({ id: 's', blames: 'infra' })]
  expect(await next()).toBe(3)
  now += DAY
  expect(await next()).toBe(4)
  const { memo: _, ...without } = ctx
  expect([await kept(without, 'x', make), await kept(without, 'x', make)]).toEqual([5, 6])
})

describe('where something was read since', () => {
  /** Made in `tookMs` each time; `at` is the clock. */
  function slow(tookMs: number) {
    let [now, made] = [0, 0]
    const memo = createMemo(() => now)
    const make = async () => {
      now += tookMs
      await setImmediate()
      return ++made
    }
    return {
      ask: (at: number, { stamp = 'day', pass = 1, progress = 1 } = {}) => {
        now = Math.max(now, at)
        return memo.keep('sum', { stamp, pass, progress }, make)
      },
      renewed: setImmediate,
    }
  }

  test('while a pass publishes, it is given for some seconds more, then made anew meanwhile', async () => {
    const { ask, renewed } = slow(0)
    expect(await ask(0)).toBe(1)
    expect(await ask(4_999, { progress: 2 })).toBe(1)
    expect(await ask(5_000, { progress: 3 })).toBe(1)
    await renewed()
    expect(await ask(5_000, { progress: 3 })).toBe(2)
  })

  test('what is made in less than a second is made anew once a pass has ended', async () => {
    const { ask } = slow(999)
    expect(await ask(0)).toBe(1)
    expect(await ask(1_000, { pass: 2 })).toBe(2)
  })

  test('what takes longer is given for twenty times as long, then made anew meanwhile', async () => {
    const { ask, renewed } = slow(3_000)
    expect(await ask(0)).toBe(1)
    expect(await ask(59_999, { pass: 2 })).toBe(1)
    expect(await ask(60_000, { pass: 3 })).toBe(1)
    await renewed()
    expect(await ask(63_000, { pass: 3 })).toBe(2)
  })

  test('what is much too old is waited for, as is what rests on other signatures', async () => {
    const { ask } = slow(3_000)
    expect(await ask(0)).toBe(1)
    expect(await ask(599_999, { pass: 2 })).toBe(1)
    const { ask: other } = slow(3_000)
    expect(await other(0)).toBe(1)
    expect(await other(600_000, { pass: 2 })).toBe(2)
    expect(await other(600_001, { pass: 2, stamp: 'next' })).toBe(3)
  })
})
