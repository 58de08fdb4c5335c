import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDuration, MAX_DURATION_MS, parseDuration } from './duration.ts'

describe('durations', () => {
  test.each([
    ['336h', 14 * 86_400_000],
    ['336h0m0s', 14 * 86_400_000],
    ['90m', 5_400_000],
    ['7d', 7 * 86_400_000],
    ['1.5h', 5_400_000],
    ['1d12h', 36 * 3_600_000],
    ['2w', 14 * 86_400_000],
    ['250ms', 250],
    ['1500us', 2],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each([
    '',
    '0',
    '0s',
    '-1h',
    '+1h',
    '7',
    'h',
    '1 h',
    '1h30',
    '1y',
    '.5h',
    '99999999h',
    '1e3h',
    '１h',
    `${'9'.repeat(400)}h`,
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  test('what is printed reads the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_DURATION_MS }), (ms) => parseDuration(formatDuration(ms)) === ms),
    )
  })

  test.each([
    [14 * 86_400_000, '14d'],
    [36 * 3_600_000, '36h'],
    [5_400_000, '1h30m'],
    [1_001, '1s1ms'],
  ])('%d ms prints as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})
