import fc from 'fast-check'

/** What lines of logs are made of, as far as grams care. */
const WORDS = [
  'no',
  'Route',
  'to',
  'host',
  'EOF',
  'fail',
  'ed',
  'x',
  'k8s',
  '12',
  ' ',
  ' ',
  ': ',
  '-',
  '_',
  'é',
  '\u212a',
  'ſ',
  '😀',
]
export const wordyLine = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(''))
/** Patterns of words, most of which plans can narrow by. */
export const { wordy } = fc.letrec<{ wordy: string; part: string }>((tie) => ({
  part: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...[
          '.*',
          '.',
          '\\s',
          '\\s*',
          '\\d+',
          '\\d',
          '[a-z]+',
          '[^a-z]',
          '[kKx]',
          '\\b',
          '(?i:route)',
          '[ :]+',
          '[[:punct:]]?',
        ],
      ),
    },
    { weight: 2, arbitrary: fc.tuple(tie('wordy'), tie('wordy')).map(([a, b]) => `(?:${a}|${b})`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('wordy'), fc.constantFrom('?', '*', '+', '{2}', '{1,3}'))
        .map(([a, op]) => `(?:${a})${op}`),
    },
  ),
  wordy: fc.array(tie('part'), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
}))
