import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchText } from '#lib/text/match-text.ts'
import { ansiSpans } from './ansi.ts'
import { lineStretches } from './line-parts.ts'

const ESC = '\u001b'

/** `[…]` marked, `<class …>` coloured, `{href …}` linked. */
function drawn(line: string, marks: readonly { from: number; to: number }[] = []): string {
  return lineStretches(line, marks)
    .map(({ href, parts }) => {
      const inner = parts
        .map(({ text, className, marked }) =>
          (marked ? `[${text}]` : text).replace(/^.*$/, (all) => (className ? `<${className} ${all}>` : all)),
        )
        .join('')
      return href ? `{${href} ${inner}}` : inner
    })
    .join('')
}

test.each([
  ['plain', 'plain', []],
  ['one two', 'one [two]', [{ from: 4, to: 7 }]],
  [`${ESC}[31mred${ESC}[0m one`, '<text-ansi-red re><text-ansi-red [d]>[ o]ne', [{ from: 2, to: 5 }]],
  [
    `see http://a.example/x${ESC}[31m?y ${ESC}[0mz`,
    'see {http://a.example/x?y http://a.[example/x]<text-ansi-red [?]><text-ansi-red y>}<text-ansi-red  >z',
    [{ from: 13, to: 23 }],
  ],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>', []],
  ['short', 'shor[t]', [{ from: 4, to: 90 }]],
  ['short', 'short', [{ from: 90, to: 91 }]],
  ['', '', []],
])('%j is %s', (line, expected, marks) => {
  expect(drawn(line, marks)).toBe(expected)
})

test('what is shown of a line is as long as what is searched, so that marks lie where they should', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ESC,
      '[',
      ']',
      '0;',
      '31m',
      'K',
      '\u0007',
      '\\',
      `${ESC}[31m`,
      `${ESC}[?25h`,
      `${ESC}[1 q`,
      '\r',
      '\0',
      'é',
      '😀',
      '\u2028',
    ),
    fc.constantFrom(
      `${ESC}]0;t\u0007`,
      `${ESC}]8;;http://a${ESC}\\`,
      `${ESC}[38:2:1m`,
      `${ESC}[>4m`,
      `${ESC}(B`,
      'a',
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const line = `${pieces.join('').replace(/\r+$/, '')}.`
      const shown = ansiSpans(line)
        .map(({ text }) => text)
        .join('')
      const searched = matchText(Buffer.from(line), false)
      expect(shown).toHaveLength(searched.length)
    }),
    { numRuns: 2_000 },
  )
})
