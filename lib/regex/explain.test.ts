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

test('what narrows nothing is told, with what would', () => {
  expect(sentences('a.b')).toEqual([
    expect.stringContaining('every block of log is read, the newest first'),
    expect.stringContaining('would narrow it'),
  ])
})

test.each([
  [{ blocks: 8005, read: 390 }, '390 of 8,005 blocks (4.9%) had to be read.'],
  [{ blocks: 1000, read: 1000 }, '1,000 of 1,000 blocks (100%) had to be read.'],
  [{ blocks: 0, read: 0 }, 'No log lies within the filters.'],
])('%o', (counts, sentence) => {
  expect(explain(planOf('panic'), counts).at(-1)).toBe(sentence)
})
