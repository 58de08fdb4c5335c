import { expect, test } from 'vitest'
import { parseSince } from './since.ts'

const NOW = Date.UTC(2026, 11, 2, 10, 30)

test.each([
  ['nothing: yesterday at nine', undefined, '2026-12-01T09:00:00Z'],
  ['an empty field of a form', ' ', '2026-12-01T09:00:00Z'],
  ['a day', '2026-11-30', '2026-11-30T00:00:00Z'],
  ['a time', '2026-11-30T08:15:00Z', '2026-11-30T08:15:00Z'],
  ['a time with its offset', '2026-11-30T08:15:00+02:00', '2026-11-30T06:15:00Z'],
  ['a duration', '36h', '2026-11-30T22:30:00Z'],
  ['days', '7d', '2026-11-25T10:30:00Z'],
])('%s', (_, text, expected) => {
  expect(parseSince(text, NOW)).toBe(Date.parse(expected))
})

test.each(['yesterday', '7', '2026-13-40', '-3h', '3650000d'])('%s is refused, and what would do is named', (text) => {
  expect(() => parseSince(text, NOW)).toThrow(/since: must be a UTC time such as .* or a duration/)
})

test('what is still to come is refused', () => {
  expect(() => parseSince('2026-12-03', NOW)).toThrow(expect.objectContaining({ code: 'QUERY_INVALID' }))
})

test('in the small hours it is still the morning before', () => {
  expect(parseSince(undefined, Date.UTC(2026, 11, 2, 0, 1))).toBe(Date.UTC(2026, 11, 1, 9))
})
