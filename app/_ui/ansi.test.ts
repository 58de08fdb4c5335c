import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ansiSpans } from './ansi.ts'

const ESC = '\u001b'

describe('colours of a log line', () => {
  test.each([
    ['plain', [['plain', '']]],
    [
      `${ESC}[31mred${ESC}[0m and not`,
      [
        ['red', 'text-ansi-red'],
        [' and not', ''],
      ],
    ],
    [`${ESC}[1;92mok`, [['ok', 'text-ansi-green font-semibold']]],
    [`${ESC}[90mgrey`, [['grey', 'text-ansi-gray']]],
    [`${ESC}[37mwhite`, [['white', '']]],
    [
      `${ESC}[38;5;196mr${ESC}[38;5;21mb${ESC}[38;5;244mg`,
      [
        ['r', 'text-ansi-red'],
        ['b', 'text-ansi-blue'],
        ['g', 'text-ansi-gray'],
      ],
    ],
    [`${ESC}[38;2;0;200;0mg`, [['g', 'text-ansi-green']]],
    [`${ESC}[41mon red`, [['on red', 'text-ansi-red bg-line']]],
    [`${ESC}]0;title\u0007${ESC}[2Kafter`, [['after', '']]],
    ['one\rtwo\r', [['one␍two', '']]],
    ['<b>&amp;</b>', [['<b>&amp;</b>', '']]],
    ['', []],
  ])('%j', (line, spans) => {
    expect(ansiSpans(line).map(({ text, className }) => [text, className])).toEqual(spans)
  })

  test('no text is lost, whatever the colours', () => {
    const piece = fc.oneof(
      fc.string().filter((text) => !/[\p{Cc}]/u.test(text)),
      fc.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 255 })).map(([a, b]) => ({ a, b })),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const line = pieces.map((each) => (typeof each === 'string' ? each : `${ESC}[${each.a};5;${each.b}m`)).join('')
        const text = pieces.filter((each) => typeof each === 'string').join('')
        expect(
          ansiSpans(line)
            .map((span) => span.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})
