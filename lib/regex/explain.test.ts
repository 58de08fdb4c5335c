import { expect, test } from 'vitest'
import { explain } from './explain.ts'
import { planOf } from './plan.ts'

const sentences = (pattern: string) => explain(planOf(pattern, { smartCase: true }))

test.each([
  ['boskos.ci.*EOF', ['Only blocks of log that hold "boskos" and "eof" are read, in upper or lower case.']],
  ['no route to host', ['Only blocks of log that hold "no route to host" are read, in upper or lower case.']],
  ['panic|fatal', ['Only blocks of log that hold "panic" or "fatal" are read, in upper or lower case.']],
  [
    'error: .*: (timeout|refused)',
    ['Only blocks of log that hold "error: " and (": timeout" or ": refused") are read, in upper or lower case.'],
  ],
  [
    String.raw`\d+ failed`,
    [
      'Only blocks of log that hold " failed" and ("0 f" or "1 f" or "2 f" or "3 f" or "4 f" or "5 f" or one of 4 others) are read, in upper or lower case.',
    ],
  ],
  ['[^\\x00-\\x{10FFFF}]', ['No line can match: nothing is read.']],
])('%s', (pattern, expected) => {
  expect(sentences(pattern)).toEqual(expected)
})

const EVERY = 'every block of log is read, the newest first.'

test.each([
  [
    'a.b',
    [`No three characters in a row are sure to be in every match, so ${EVERY}`, expect.stringContaining('longer')],
  ],
  ['x*', [`The pattern matches the empty string, and so every line: ${EVERY}`]],
  ['', [`The pattern matches the empty string, and so every line: ${EVERY}`]],
  [
    'fatal|E[0-9]+',
    [`The alternative \`E[0-9]+\` may match where no three characters in a row are certain, so ${EVERY}`],
  ],
  [
    '^.*(?:(timeout|.?x$)+) ',
    [`The alternative \`.?x$\` may match where no three characters in a row are certain, so ${EVERY}`],
  ],
  ['(timeout|a|b)?x', [expect.stringContaining('No three'), expect.any(String)]],
  ['a|b', [expect.stringContaining('No three'), expect.any(String)]],
  ['日本語', [expect.stringContaining('No three'), expect.any(String), expect.stringContaining('beyond ASCII')]],
  ['café au lait', [expect.stringContaining('"caf" and " au lait"'), expect.stringContaining('beyond ASCII')]],
])('what narrows nothing is told, with why: %s', (pattern, expected) => {
  expect(sentences(pattern)).toEqual(expected)
})

test('words of which no characters are shared are told too', () => {
  const [sentence] = sentences(String.raw`(?:post|get)\d+-api`)
  expect(sentence).toMatch(/"-api" and .* and \("post … api" or "get … api"\)/)
})

test.each([
  [{ blocks: 8005, read: 390 }, '390 of 8,005 blocks (4.9%) had to be read.'],
  [{ blocks: 1000, read: 1000 }, '1,000 of 1,000 blocks (100%) had to be read.'],
  [{ blocks: 0, read: 0 }, 'No log lies within the filters.'],
])('%o', (counts, sentence) => {
  expect(explain(planOf('panic'), counts).at(-1)).toBe(sentence)
})
