import fc from 'fast-check'
import { RE2JS } from 're2js'

/** Characters that tell engines apart: folding to ASCII, three-way and astral folding, sharp s, word and space edges. */
const CHARS = [...'abkKsSzZ019_- .:[{"\\/\t\v\u00a0éÉßẞſ\u212aσςΣİı\ufeff\ufffd\u2713😀𐐀𐐨']
export const line = fc.string({ unit: fc.constantFrom(...CHARS), maxLength: 12 })
export const asciiLine = fc.string({ unit: fc.constantFrom(...CHARS.filter((char) => char < '\u0080')), maxLength: 12 })
/** Lines of one text. */
export const texts = fc.oneof(
  fc.array(line, { minLength: 1, maxLength: 12 }),
  fc.array(asciiLine, { minLength: 1, maxLength: 12 }),
)

const SETS = [
  ...[
    '[^a]',
    '[^k-z]',
    '[a-z0-9]',
    '[[:alpha:]]',
    '[^[:^upper:]_]',
    '[\\d_-]',
    '[\\W]',
    '[^\\s"]',
    '[]a]',
    '[ſ-\u212a]',
  ],
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\pL',
    '\\PL',
    '\\p{Lu}',
    '\\p{^Greek}',
    '[\\p{Ll}\\x{10400}-\\x{10410}]',
  ],
]
const literal = fc.constantFrom(...CHARS).map((char) => RE2JS.quote(char))
const assertion = fc.constantFrom('^', '$', '\\A', '\\z', '\\b', '\\B', '\\B', '\\B', '(?m:^)', '(?m:$)')
const atom = fc.oneof(
  { weight: 6, arbitrary: literal },
  { weight: 3, arbitrary: fc.constantFrom(...SETS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('.', '(?s:.)', '.*', '.+?', '\\x{212a}', '\\x6b', '\\141', '\\Q.*\\E', '[^\\n]'),
  },
  { weight: 1, arbitrary: assertion },
)
const quantifier = fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{2,3}?', '{0}')
/** Patterns of RE2 syntax. */
export const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string; group: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 3, arbitrary: tie('sequence') },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('pattern'), fc.oneof(tie('sequence'), fc.constant(''))).map((parts) => parts.join('|')),
    },
  ),
  sequence: fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join('')),
  item: fc.oneof(
    { weight: 4, arbitrary: atom },
    { weight: 2, arbitrary: tie('group') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.oneof(
            atom.map((text) => `(?:${text})`),
            tie('group'),
          ),
          quantifier,
        )
        .map((parts) => parts.join('')),
    },
  ),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?-i:', '(?s:', '(?U:', '(?im-s:', '(?i)('), tie('pattern'))
    .map(([open, inner]) => `${open}${inner})`),
}))
