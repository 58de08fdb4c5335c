import { expect, test } from 'vitest'
import type { Block } from '#lib/model/block.ts'
import type { Store } from '#lib/store/store.ts'
import { Appender } from './appender.ts'

const VERSION = { id: 'v', day: '2026-11-03' }

function blocks(from: number, count: number): Block[] {
  return Array.from({ length: count }, (_, i) => {
    return { firstLine: from + i, lineCount: 1, bytes: new Uint8Array(1), ascii: true }
  })
}

/** A store that answers each append when told to. */
function slowStore() {
  const calls: { readonly lines: number[]; readonly answer: PromiseWithResolvers<void> }[] = []
  const append: Store['append'] = (_, __, given) => {
    const answer = Promise.withResolvers<void>()
    calls.push({ lines: given.map(({ firstLine }) => firstLine), answer })
    return answer.promise
  }
  return { calls, appender: new Appender({ append } as Store, VERSION, { name: 'build-log.txt', kind: 'build-log' }) }
}

test('blocks are read while the store writes those before, and one call waits for the other', async () => {
  const { calls, appender } = slowStore()
  await appender.take(blocks(1, 16))
  const second = appender.take(blocks(17, 20))
  const settled: string[] = []
  void second.then(() => settled.push('second'))
  await Promise.resolve()
  expect({ calls: calls.length, settled }).toEqual({ calls: 1, settled: [] })
  calls[0]?.answer.resolve()
  await second
  expect(calls.map(({ lines }) => lines.length)).toEqual([16, 20])
  await appender.take(blocks(37, 1))
  const end = appender.end()
  calls[1]?.answer.resolve()
  await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  calls[2]?.answer.resolve()
  await end
  expect(calls.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 37 }, (_, i) => i + 1))
})

test.each(['take', 'end'] as const)('what the store fails with is thrown by the next %s', async (next) => {
  const { calls, appender } = slowStore()
  await appender.take(blocks(1, 16))
  calls[0]?.answer.reject(new Error('full'))
  await new Promise((resolve) => setImmediate(resolve))
  await expect(next === 'take' ? appender.take(blocks(17, 16)) : appender.end()).rejects.toThrow('full')
  expect(calls).toHaveLength(1)
})

test('a log without blocks calls nothing', async () => {
  const { calls, appender } = slowStore()
  await appender.take([])
  await appender.end()
  expect(calls).toEqual([])
})
