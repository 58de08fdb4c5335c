import { isAscii } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayText, matchText } from './match-text.ts'

function match(text: string | Uint8Array): string {
  const bytes = Buffer.from(text)
  return matchText(bytes, isAscii(bytes))
}

describe('match text', () => {
  it.each([
    ['plain', 'a b\nc', 'a b\nc'],
    ['CSI colour', '\u001b[36mINFO\u001b[0m[2021] x', 'INFO[2021] x'],
    ['CSI with private and intermediate bytes', 'a\u001b[?25lb\u001b[1 qc\u001b[>0;1cd', 'abcd'],
    [
      'OSC ended by BEL and by ESC \\',
      'a\u001b]0;title\u0007b\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\c',
      'ablinkc',
    ],
    ['OSC left open keeps the next line', 'a\u001b]0;t\nb\u0007c', 'a\u001b]0;t\nb\u0007c'],
    ['CSI left open keeps the next line', 'a\u001b[3\n1mb', 'a\u001b[3\n1mb'],
    ['other escapes stay', 'a\u001b7b\u001b(Bc', 'a\u001b7b\u001b(Bc'],
    ['CRLF', 'a\r\nb\r\n\r\nc\r', 'a\nb\n\nc'],
    ['one trailing CR only', 'a\r\r\nb', 'a \nb'],
    ['CR behind colour', 'a\r\u001b[0m\nb\u001b[0m\r', 'a\nb'],
    ['progress bar', '10%\r20%\r100%', '10% 20% 100%'],
    ['line separators and NUL', 'a\u2028b\u2029c\u0000d', 'a b c d'],
    ['NUL in ASCII', 'a\u0000b', 'a b'],
    ['next line and form feed stay', 'a\u0085b\fc', 'a\u0085b\fc'],
    ['BOM stays', '\ufeffa\n\ufeffb', '\ufeffa\n\ufeffb'],
    ['astral', '😀\u001b[1m!', '😀!'],
    ['empty', '', ''],
  ])('%s', (_, text, wanted) => {
    expect(match(text)).toBe(wanted)
  })

  it('decodes bad bytes as the WHATWG decoder does', () => {
    expect(match(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82, 0x0a, 0xed, 0xa0, 0x80]))).toBe(
      'a\ufffdb\ufffd\n\ufffd\ufffd\ufffd',
    )
  })

  it('has the lines of its block, whatever the bytes', () => {
    const odd = fc.constantFrom(
      0x1b,
      0x5b,
      0x5d,
      0x0a,
      0x0d,
      0x00,
      0x07,
      0x5c,
      0x6d,
      0x3b,
      0x31,
      0xe2,
      0x80,
      0xa8,
      0xff,
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.nat(255)), { maxLength: 200 }), (values) => {
        const bytes = Uint8Array.from(values)
        const text = matchText(bytes, isAscii(Buffer.from(bytes)))
        expect(text.split('\n').length).toBe(values.filter((value) => value === 0x0a).length + 1)
        expect(text).not.toMatch(/[\r\u2028\u2029\0]/)
        expect(text.isWellFormed()).toBe(true)
        // Line by line it is the same: no state runs over a line's end.
        const lines = Buffer.from(bytes).toString('latin1').split('\n')
        expect(lines.map((line) => match(Buffer.from(line, 'latin1'))).join('\n')).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it('reads ASCII alike with and without the hint', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 100 }), (text) => {
        const bytes = Buffer.from(text)
        expect(matchText(bytes, true)).toBe(matchText(bytes, false))
      }),
    )
  })

  it.each(['\u001b[', '\u001b]', '\u001b[1;', '\u001b]\u001b', '\u001b[0', '\r', '\u0000'])(
    'gets through 4 MiB of %j',
    (unit) => {
      expect(match(unit.repeat((4 << 20) / unit.length)).length).toBeGreaterThan(0)
    },
  )
})

it('display text is decoded and nothing else', () => {
  expect(displayText(Buffer.from('\ufeff\u001b[1ma\r\n\u0000b'))).toBe('\ufeff\u001b[1ma\r\n\u0000b')
  expect(displayText(Uint8Array.of(0x61, 0x80))).toBe('a\ufffd')
})
