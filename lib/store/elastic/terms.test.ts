import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GRAM_SPACE } from '../../text/grams.ts'
import { gramTerm, gramTerms } from './terms.ts'

test('grams are written as the terms that a plan asks for', () => {
  const edges = [0, 35, 36, 1295, 1296, 46_655, 46_656, GRAM_SPACE - 1]
  const some = fc.array(fc.oneof(fc.nat(GRAM_SPACE - 1), fc.constantFrom(...edges)))
  const law = fc.property(some, (grams) => {
    expect(JSON.parse(gramTerms(Uint32Array.from(grams)))).toEqual(grams.map(gramTerm))
  })
  fc.assert(law, { examples: [[edges], [[]]] })
})
