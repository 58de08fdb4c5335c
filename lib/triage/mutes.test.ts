import { expect, test } from 'vitest'
import { DAY, makeSignature } from '../testing/values.ts'
import { isMuted, muteNote, mutesOf } from './mutes.ts'

const NOW = Date.UTC(2026, 10, 20)
const muted = (until?: number, reason?: string) => ({
  signature: makeSignature({
    status: { state: 'muted', ...(until !== undefined && { until }), ...(reason && { reason }) },
  }),
})

test('mutes are told by day and reason, those that end first at the top', () => {
  const vendor = muted(Date.UTC(2026, 11, 1), 'vendor working on it')
  const rows = [muted(), muted(Date.UTC(2027, 0, 3)), vendor, muted(undefined, 'noise'), vendor]
  expect(mutesOf(rows, NOW).map(({ words, rows: { length } }) => [words, length])).toEqual([
    ['muted until 1 Dec: vendor working on it (2)', 2],
    ['muted until 3 Jan 2027 (1)', 1],
    ['muted (1)', 1],
    ['muted: noise (1)', 1],
  ])
})

test('a mute that has run out is none, and says so', () => {
  const { signature } = muted(NOW - DAY, 'vendor')
  expect(isMuted(signature, NOW)).toBe(false)
  expect(isMuted(muted(NOW + DAY).signature, NOW)).toBe(true)
  expect(muteNote(signature, NOW)).toBe('mute ended 19 Nov: vendor')
  expect(muteNote(makeSignature(), NOW)).toBeUndefined()
})
