import { expect, test } from 'vitest'
import { random } from '../testing/sample/random.ts'
import { regularityOf } from './regularity.ts'

/** `count` gaps of a gamma process of a whole shape, with mean 1. */
function gamma(shape: number, count: number, unit: () => number): number[] {
  const exponential = () => -Math.log(1 - unit())
  return Array.from({ length: count }, () => {
    let sum = 0
    for (let i = 0; i < shape; i++) sum += exponential()
    return sum / shape
  })
}

test.each([5, 6, 12, 18, 30, 150])('of %d exponential gaps one in forty looks regular, and one bursty', (count) => {
  const { unit } = random('regularity', count)
  const found = { regular: 0, bursty: 0, none: 0 }
  for (let i = 0; i < 20_000; i++) found[regularityOf(gamma(1, count, unit), 99) ?? 'none']++
  // Of 20,000 at 2.5 % the standard error is 22; between two rows of the table there is half a percent more.
  expect(Math.abs(found.regular - 500)).toBeLessThan(150)
  expect(Math.abs(found.bursty - 500)).toBeLessThan(150)
})

test('what is regular is found', () => {
  const { unit } = random('regular')
  const found = Array.from({ length: 1000 }, () => regularityOf(gamma(16, 11, unit), 99))
  expect(found.filter((each) => each === 'regular').length).toBeGreaterThan(980)
})

test('the founding gaps are regular', () => {
  expect(regularityOf([5.4, 5.2, 4.1, 5.9, 3.0, 5.8, 4.9, 5.0, 4.0, 4.2, 5.5], 99)).toBe('regular')
})

test.each([
  ['four gaps', [5, 5, 5, 5], 99],
  ['gaps of the runs, not of the failure', [5, 5, 5, 5, 5, 5], 4.9],
  ['no gaps', [], 99],
] as const)('%s can not be tested', (_, gaps, runsPerGap) => {
  expect(regularityOf(gaps, runsPerGap)).toBeUndefined()
})

test('incidents at one instant are a gap of nothing', () => {
  expect(regularityOf([0, 0, 0, 0, 0, 50, 0, 0, 60], 99)).toBe('bursty')
})
