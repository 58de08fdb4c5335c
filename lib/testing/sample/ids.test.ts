import { expect, test } from 'vitest'
import { sequential, snowflake } from './ids.ts'

test('a snowflake holds its ms, node 1 and step', () => {
  const at = Date.UTC(2020, 0, 26, 0, 53, 20)
  const id = BigInt(snowflake(at, 5))
  expect(Number((id >> 22n) + 1_288_834_974_657n)).toBe(at)
  expect((id >> 12n) & 1023n).toBe(1n)
  expect(id & 4095n).toBe(5n)
  expect(snowflake(at)).toMatch(/^\d{19}$/)
})

test('sequential ids count on', () => {
  const next = sequential(6939)
  expect([next(), next(), next()]).toEqual(['6939', '6940', '6941'])
})
