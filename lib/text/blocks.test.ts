import { isAscii } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '../model/block.ts'
import { BlockCutter } from './blocks.ts'
import { displayText } from './match-text.ts'

const KIB64 = 64 * 1024

function cut(text: string | Uint8Array, sizes: readonly number[] = [KIB64]): { blocks: Block[]; cutter: BlockCutter } {
  const bytes = Buffer.from(text)
  const cutter = new BlockCutter()
  const blocks: Block[] = []
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? KIB64
    blocks.push(...cutter.push(bytes.subarray(at, at + size)))
    at += size
  }
  return { blocks: [...blocks, ...cutter.end()], cutter }
}

/** The lines of a log as Spyglass counts them, and the blocks' lines by number, windows put together. */
function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('latin1').split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function linesOfBlocks(blocks: readonly Block[]): string[] {
  const lines: string[] = []
  for (const block of blocks) {
    const text = Buffer.from(block.bytes).toString('latin1')
    const own = text.split('\n')
    expect(own.length).toBe(block.lineCount)
    expect(block.bytes.length).toBeLessThanOrEqual(KIB64)
    expect(block.ascii).toBe(isAscii(block.bytes))
    if (block.window === undefined || block.window === 0) {
      expect(block.firstLine).toBe(lines.length + 1)
      lines.push(...own)
    } else {
      expect(block.firstLine).toBe(lines.length)
      const before = lines.pop() ?? ''
      const overlap = overlapOf(before, text)
      lines.push(before + text.slice(overlap))
    }
  }
  return lines
}

function shapeOf({ bytes, ...rest }: Block): object {
  return { ...rest, bytes: bytes.length }
}

/** Windows start 4 KiB, and at most three bytes more, before the end of the one before. */
function overlapOf(before: string, text: string): number {
  for (const overlap of [4096, 4097, 4098, 4099]) if (before.endsWith(text.slice(0, overlap))) return overlap
  throw new Error('a window does not overlap the one before it')
}

const part = fc.oneof(
  fc.constantFrom('\n', '\n\n', 'a line\n', 'é€😀\n', '\r\n', 'no end', '€'),
  fc.nat(KIB64 + 10).map((length) => 'x'.repeat(length)),
  fc.nat(4000).map((length) => 'short line\n'.repeat(length)),
  fc.integer({ min: 20_000, max: 70_000 }).map((length) => `${'€'.repeat(length)}\n`),
  fc.constantFrom(KIB64 - 1, KIB64, KIB64 + 1, KIB64 + 2, 2 * KIB64 - 4096).map((length) => `${'y'.repeat(length)}\n`),
)
const input = fc.array(part, { maxLength: 8 }).map((parts) => Buffer.from(parts.join('')))
const noise = fc
  .uint8Array({ maxLength: 300 })
  .map((bytes) => Buffer.from(Array.from({ length: 700 }, () => [...bytes]).flat()))
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1000, max: 300_000 })), {
  minLength: 1,
  maxLength: 3,
})

describe('blocks', () => {
  it('put together are the log, numbered as it is, for any chunking', () => {
    fc.assert(
      fc.property(fc.oneof(input, noise), sizes, (bytes, chunks) => {
        const { blocks, cutter } = cut(
          bytes,
          chunks.map((size) => Math.max(size, bytes.length >> 10)),
        )
        const lines = linesOf(bytes)
        const found = linesOfBlocks(blocks)
        expect(found.length).toBe(lines.length)
        expect(found.every((line, index) => line === lines[index])).toBe(true)
        expect({ lines: cutter.lines, bytes: cutter.bytes }).toEqual({ lines: lines.length, bytes: bytes.length })
        const whole = cut(bytes).blocks
        expect(blocks.map(shapeOf)).toEqual(whole.map(shapeOf))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['', []],
    ['\n', [[1, 1, '']]],
    ['a', [[1, 1, 'a']]],
    ['a\n', [[1, 1, 'a']]],
    ['a\n\n', [[1, 2, 'a\n']]],
    ['a\nb', [[1, 2, 'a\nb']]],
  ])('%j', (text, wanted) => {
    expect(cut(text).blocks.map((block) => [block.firstLine, block.lineCount, displayText(block.bytes)])).toEqual(
      wanted,
    )
  })

  it('are near 64 KiB where lines are short', () => {
    const { blocks } = cut('some hundred bytes of a line\n'.repeat(100_000))
    expect(blocks.slice(0, -1).every((block) => block.bytes.length > KIB64 - 100)).toBe(true)
  })
})

describe('windows of a long line', () => {
  it('cover it, decode as it does, and never split a character', () => {
    const line = `${'a€😀é'.repeat(30_000)}END`
    const { blocks } = cut(`before\n${line}\nafter\n`)
    const windows = blocks.filter((block) => block.window !== undefined)
    expect(windows.map((block) => block.window)).toEqual(windows.map((_, index) => index))
    expect(windows.every((block) => block.firstLine === 2 && block.lineCount === 1)).toBe(true)
    expect(windows.some((block) => displayText(block.bytes).includes('\ufffd'))).toBe(false)
    expect(linesOfBlocks(blocks)[1]).toBe(Buffer.from(line).toString('latin1'))
    expect(blocks.at(-1)).toMatchObject({ firstLine: 3, lineCount: 1 })
  })

  it.each([
    [KIB64, [undefined]],
    [KIB64 + 1, [0, 1]],
  ])('start above 64 KiB (%i bytes)', (length, wanted) => {
    for (const end of ['\n', ''])
      expect(cut('x'.repeat(length) + end).blocks.map((block) => block.window)).toEqual(wanted)
  })

  it('come while the line goes on, so that 100 MB of it need little memory', () => {
    const cutter = new BlockCutter()
    const chunk = Buffer.alloc(1 << 20, 'z')
    let windows = 0
    for (let i = 0; i < 100; i++) {
      const found = cutter.push(chunk)
      windows += found.length
      expect(windows).toBeGreaterThanOrEqual(Math.floor((i << 20) / KIB64))
    }
    expect(windows + cutter.end().length).toBe(Math.ceil(((100 << 20) - 4096) / (KIB64 - 4096)))
    expect(cutter.lines).toBe(1)
  })
})

describe('a gap', () => {
  it('keeps the numbers of what comes after it', () => {
    const cutter = new BlockCutter()
    // Left out: `ne 3`, lines 4 to 102, `line 1` of line 103: 100 newlines.
    const blocks = [
      ...cutter.push(Buffer.from('line 1\nline 2\nli')),
      ...cutter.gap(100),
      ...cutter.push(Buffer.from('03\nline 104\n')),
      ...cutter.end(),
    ]
    const found = blocks.map((block) => [block.firstLine, block.lineCount, displayText(block.bytes)])
    expect(found).toEqual([
      [1, 3, 'line 1\nline 2\nli'],
      [103, 2, '03\nline 104'],
    ])
    expect(cutter.lines).toBe(104)
  })

  it('after a whole line, within a line, and within a long line', () => {
    const numbers = (before: string, newlines: number) => {
      const cutter = new BlockCutter()
      const blocks = [
        ...cutter.push(Buffer.from(before)),
        ...cutter.gap(newlines),
        ...cutter.push(Buffer.from('tail')),
        ...cutter.end(),
      ]
      expect(cutter.lines).toBe(blocks.at(-1)?.firstLine)
      return blocks.map((block) => block.firstLine)
    }
    expect(numbers('a\n', 3)).toEqual([1, 5])
    expect(numbers('a', 0)).toEqual([1, 1])
    expect(numbers(`a\n${'x'.repeat(KIB64 + 5)}`, 2)).toEqual([1, 2, 2, 4])
    expect(numbers('', 7)).toEqual([8])
  })
})
