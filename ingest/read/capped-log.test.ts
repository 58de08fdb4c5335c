import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '#lib/model/block.ts'
import { CappedLog } from './capped-log.ts'

function cut(text: Uint8Array, chunkSizes: readonly number[], maxBytes: number) {
  const log = new CappedLog(maxBytes)
  const blocks: Block[] = []
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = chunkSizes[i % chunkSizes.length] ?? 1
    blocks.push(...log.push(text.subarray(at, at + size)))
    at += size
  }
  for (const some of log.end()) blocks.push(...some)
  return { blocks, ...log.counts }
}

/** Line number → text, of blocks that are no windows. */
function linesOf(blocks: readonly Block[]): Map<number, string> {
  return new Map(
    blocks.flatMap((block) =>
      new TextDecoder()
        .decode(block.bytes)
        .split('\n')
        .map((line, i) => [block.firstLine + i, line] as const),
    ),
  )
}

const lines = fc.array(fc.stringMatching(/^[a-z ]{0,40}$/), { minLength: 1, maxLength: 300 })
const chunks = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 })

describe('a capped log', () => {
  it('keeps whole lines of head and tail under their own numbers, and no more bytes than allowed', () => {
    fc.assert(
      fc.property(lines, chunks, fc.integer({ min: 2, max: 4000 }), fc.boolean(), (all, sizes, maxBytes, closed) => {
        const text = Buffer.from(all.join('\n') + (closed ? '\n' : ''))
        const { blocks, bytes, truncatedFrom, lines: count } = cut(text, sizes, maxBytes)
        const kept = linesOf(blocks)
        expect(bytes).toBeLessThanOrEqual(maxBytes)
        expect(truncatedFrom).toBe(text.length > maxBytes && bytes < text.length ? text.length : undefined)
        if (truncatedFrom === undefined) {
          const whole = linesOf(cut(text, [text.length], text.length + 1).blocks)
          expect(kept).toEqual(whole)
          return
        }
        const last = closed ? all.length : all.length - (all.at(-1) === '' ? 1 : 0)
        expect(count).toBeLessThanOrEqual(last)
        const cutLine = text
          .subarray(0, Math.ceil(maxBytes / 2))
          .toString()
          .split('\n').length
        for (const [number, line] of kept) {
          const original = all[number - 1] ?? ''
          // The line that the first half ends in is cut where its chunk held no end of a line; so is a last one.
          if (number === cutLine) expect(original.startsWith(line) || original.endsWith(line)).toBe(true)
          else if (number === last) expect(original.endsWith(line)).toBe(true)
          else expect(line).toBe(original)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('keeps head and tail of one endless line', () => {
    const text = Buffer.alloc(1_000_000, 'x')
    text.write('head')
    text.write('tail', text.length - 4)
    const { blocks, bytes, lines: count, truncatedFrom } = cut(text, [65_536], 400_000)
    expect({ bytes, count, truncatedFrom }).toEqual({ bytes: 400_000, count: 1, truncatedFrom: 1_000_000 })
    expect(new Set(blocks.map((block) => block.firstLine))).toEqual(new Set([1]))
    expect(new TextDecoder().decode(blocks[0]?.bytes).startsWith('head')).toBe(true)
    expect(new TextDecoder().decode(blocks.at(-1)?.bytes).endsWith('tail')).toBe(true)
  })

  it('counts the lines of a log that is cut amid one', () => {
    const text = Buffer.from('a\nbb\nccc\ndddd\neeeee\nffffff\n')
    expect(linesOf(cut(text, [text.length], 16).blocks)).toEqual(
      new Map([
        [1, 'a'],
        [2, 'bb'],
        [6, 'ffffff'],
      ]),
    )
  })

  it('is empty for an empty log', () => {
    expect(cut(Buffer.alloc(0), [1], 10)).toEqual({ blocks: [], bytes: 0, lines: 0 })
  })
})
