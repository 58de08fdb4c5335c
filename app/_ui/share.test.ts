import { expect, test } from 'vitest'
import { share } from '#lib/triage/share.ts'
import { intervalText, shareText } from './share.ts'

test.each([
  [1, 20, '5% (0.1–25)'],
  [0, 20, '0% (0–17)'],
  [20, 20, '100% (83–100)'],
  [3, 1204, '0.2% (0.05–0.7)'],
  [142, 1204, '12%'],
  [0, 0, '–'],
])('%d of %d: %s', (part, whole, words) => {
  expect(shareText(share(part, whole))).toBe(words)
})

test('an interval by itself', () => {
  expect(intervalText(share(142, 1204))).toBe('10–14')
})
