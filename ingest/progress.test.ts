import { expect, it } from 'vitest'
import { estimate } from './progress.ts'

it('tells how long the rest takes, once there is a pace, and anew for each reading', () => {
  let now = 0
  const left = estimate(() => now)
  const at = (seconds: number, done: number, total: number) => {
    now = seconds * 1000
    return left({ done, total })
  }
  expect(at(0, 0, 100)).toBe('')
  expect(at(9, 9, 100)).toBe('')
  expect(at(10, 10, 100)).toBe(', about 2 minutes left')
  expect(at(20, 80, 100)).toBe(', about 5 seconds left')
  expect(at(30, 100, 100)).toBe('')
  expect(at(40, 3, 50)).toBe('')
  expect(at(60, 4, 50)).toBe(', about 15 minutes left')
})
