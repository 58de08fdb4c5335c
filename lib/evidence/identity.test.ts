import { expect, test } from 'vitest'
import { EVIDENCE_ID } from '../model/evidence.ts'
import { sampleEvidence } from '../testing/evidence.ts'
import { digestOf, idsOf } from './identity.ts'

const { content, range } = sampleEvidence()

test('the order in which an object was made has no part in it, what it says has', () => {
  const turned = Object.fromEntries(Object.entries(content).reverse()) as typeof content
  expect(digestOf(turned, range)).toBe(digestOf(content, range))
  const other = { ...content, asked: { kind: 'search', search: 'search=eof' } } as const
  expect(digestOf(other, range)).not.toBe(digestOf(content, range))
})

test('of a range that ends at the freezing the days count, of another its instants', () => {
  const later = { from: range.from + 300_000, to: range.to + 300_000, rolling: true }
  expect(digestOf(content, later)).toBe(digestOf(content, range))
  expect(digestOf(content, { ...later, rolling: false })).not.toBe(digestOf(content, { ...range, rolling: false }))
  const tomorrow = { from: range.from + 86_400_000, to: range.to + 86_400_000, rolling: true }
  expect(digestOf(content, tomorrow)).not.toBe(digestOf(content, range))
})

test('ids begin with ten characters and grow by one', () => {
  const ids = [...idsOf('0f'.repeat(32))]
  expect(ids.map((id) => id.length)).toEqual(Array.from({ length: 43 }, (_, i) => i + 10))
  for (const id of ids) expect(id).toMatch(EVIDENCE_ID)
  expect(new Set(ids.map((id) => id.slice(0, 10))).size).toBe(1)
  expect(ids.at(-1)?.[0]).toBe('0')
})
