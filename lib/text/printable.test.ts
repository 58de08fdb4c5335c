import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText, printable, shownText } from './printable.ts'

const text = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0xa0 }), fc.integer({ min: 0x2020, max: 0x2070 }))
    .map((code) => String.fromCharCode(code)),
})
const obeyed = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u

test('what is shown holds nothing that a terminal obeys, and each character at its place', () => {
  fc.assert(
    fc.property(text, (given) => {
      const shown = shownText(given)
      expect(shown).not.toMatch(obeyed)
      expect(shown).toHaveLength(given.length)
      expect(shownText(shown)).toBe(shown)
      if (!obeyed.test(given)) expect(shown).toBe(given)
      expect(printable(given)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})

test('JSON holds nothing that a terminal obeys, and reads as it was', () => {
  fc.assert(
    fc.property(text, (given) => {
      const json = jsonText({ given })
      expect(json).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect(JSON.parse(json)).toEqual({ given })
    }),
  )
})
