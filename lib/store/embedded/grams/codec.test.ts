import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Chunk, ChunkReader, ChunkWriter } from './chunks.ts'
import { Damaged } from './damaged.ts'
import { isDropped } from './lists.ts'
import { planRice, readRice, writeRice } from './rice.ts'
import { ByteReader, ByteWriter } from './varint.ts'

const SPACE = 5000

/** Lists by gram of a segment, from single blocks to all of them. */
const lists = fc.integer({ min: 1, max: 700 }).chain((blocks) =>
  fc.record({
    blocks: fc.constant(blocks),
    lists: fc
      .array(
        fc.tuple(
          fc.nat(SPACE - 1),
          fc.oneof(
            fc.uniqueArray(fc.nat(blocks - 1), { minLength: 1, maxLength: 9 }),
            fc
              .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(blocks - 1))
              .map(([step, start]) =>
                Array.from({ length: Math.ceil((blocks - start) / step) }, (_, i) => start + i * step),
              ),
          ),
        ),
        { maxLength: 300 },
      )
      .map((pairs) => new Map(pairs.map(([gram, ordinals]) => [gram, ordinals.toSorted((a, b) => a - b)]))),
  }),
)

function written(blocks: number, byGram: ReadonlyMap<number, readonly number[]>): Chunk[] {
  const chunks: Chunk[] = []
  const writer = new ChunkWriter(blocks, (chunk) => chunks.push(chunk))
  for (const [gram, ordinals] of [...byGram].sort(([a], [b]) => a - b))
    writer.add(gram, Uint32Array.from(ordinals), ordinals.length)
  writer.end(SPACE)
  return chunks
}

function find(chunks: readonly Chunk[], gram: number, blocks: number): number[] | undefined {
  const chunk = chunks.findLast(({ first }) => first <= gram)
  if (!chunk) throw new Error('no chunk')
  const into = new Uint32Array(blocks)
  const reader = new ChunkReader(chunk, blocks)
  const count = reader.seek(gram) ? reader.read(into) : 0
  return count === undefined ? undefined : [...into.subarray(0, count)]
}

describe('numbers', () => {
  test('come back', () => {
    const numbers = fc.array(fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1), fc.constantFrom(0, 127, 128, 16383, 16384)))
    fc.assert(
      fc.property(numbers, (values) => {
        const out = new ByteWriter()
        for (const value of values) out.varint(value)
        const from = new ByteReader(out.take())
        expect(values.map(() => from.varint())).toEqual(values)
        expect(from.done).toBe(true)
      }),
    )
  })

  test.each([
    ['none', []],
    ['cut off', [0x80]],
    ['too large', [0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['endless', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ])('%s is refused', (_, bytes) => {
    expect(() => new ByteReader(Uint8Array.from(bytes)).varint()).toThrow(Damaged)
  })

  test('more than the writer first has room for', () => {
    const out = new ByteWriter()
    for (let i = 0; i < 100_000; i++) out.varint(i)
    out.bytes(new Uint8Array(100_000).fill(7))
    const from = new ByteReader(out.take())
    from.skipVarints(99_999)
    expect(from.varint()).toBe(99_999)
    expect(from.bytes(100_000).every((byte) => byte === 7)).toBe(true)
    expect(from.done).toBe(true)
  })
})

describe('Rice coding', () => {
  const ascending = fc.integer({ min: 1, max: 100_000 }).chain((space) =>
    fc.record({
      space: fc.constant(space),
      values: fc
        .oneof(
          fc.uniqueArray(fc.nat(space - 1), { minLength: 1, maxLength: 200 }),
          fc.integer({ min: 1, max: Math.min(space, 500) }).map((length) => Array.from({ length }, (_, i) => i)),
          fc
            .integer({ min: 1, max: Math.min(space, 40) })
            .map((n) => Array.from({ length: n }, (_, i) => space - n + i)),
        )
        .map((values) => Uint32Array.from(values).sort()),
    }),
  )

  test('gives back what was written, in as many bytes as planned', () => {
    fc.assert(
      fc.property(ascending, ({ space, values }) => {
        const plan = planRice(values, values.length, space)
        const bytes = writeRice(values, values.length, plan)
        expect(bytes.length).toBe(plan.size)
        const into = new Uint32Array(values.length)
        readRice(bytes, into, values.length, space)
        expect(into).toEqual(values)
      }),
      { numRuns: 500 },
    )
  })

  test('cut off is refused', () => {
    fc.assert(
      fc.property(ascending, fc.nat(), ({ space, values }, cut) => {
        const bytes = writeRice(values, values.length, planRice(values, values.length, space))
        const part = bytes.subarray(0, cut % bytes.length)
        expect(() => readRice(part, new Uint32Array(values.length), values.length, space)).toThrow(Damaged)
      }),
    )
  })
})

describe('chunks', () => {
  test('give each list back; what is not there is empty, what over half of the blocks hold is unknown', () => {
    fc.assert(
      fc.property(lists, fc.array(fc.nat(SPACE - 1), { maxLength: 20 }), ({ blocks, lists: byGram }, others) => {
        const chunks = written(blocks, byGram)
        for (const gram of [...byGram.keys(), ...others]) {
          const ordinals = byGram.get(gram) ?? []
          const wanted = blocks >= 64 && ordinals.length * 2 > blocks ? undefined : ordinals
          expect(find(chunks, gram, blocks)).toEqual(wanted)
        }
      }),
    )
  })

  test('leave no gap', () => {
    fc.assert(
      fc.property(lists, ({ blocks, lists: byGram }) => {
        let at = 0
        for (const chunk of written(blocks, byGram)) {
          expect(chunk.first).toBe(at)
          at = new ChunkReader(chunk, blocks).end
        }
        expect(at).toBe(SPACE)
      }),
    )
  })

  test('of another stretch than the gram are refused', () => {
    const [chunk] = written(9, new Map([[7, [1, 2]]]))
    if (!chunk) throw new Error('no chunk')
    expect(new ChunkReader(chunk, 9).seek(SPACE - 1)).toBe(false)
    expect(() => new ChunkReader(chunk, 9).seek(SPACE)).toThrow(Damaged)
    expect(() => new ChunkReader({ first: 0, data: Uint8Array.of(0) }, 9)).toThrow(Damaged)
  })

  test('cut off anywhere are refused, or give what was written', () => {
    fc.assert(
      fc.property(lists, fc.nat(), ({ blocks, lists: byGram }, cut) => {
        const [chunk] = written(blocks, byGram)
        if (!chunk) throw new Error('no chunk')
        const data = chunk.data.subarray(0, cut % chunk.data.length)
        const grams: number[] = []
        try {
          const reader = new ChunkReader({ first: 0, data }, blocks)
          const into = new Uint32Array(blocks)
          for (let gram = reader.next(); gram !== undefined; gram = reader.next()) {
            const count = reader.read(into)
            if (count !== undefined) expect([...into.subarray(0, count)]).toEqual(byGram.get(gram))
            grams.push(gram)
          }
        } catch (error) {
          if (!(error instanceof Damaged)) throw error
        }
        expect(grams.every((gram) => byGram.has(gram))).toBe(true)
      }),
    )
  })

  test('any bytes are read or refused, and never run on', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(200), fc.nat(SPACE), (data, blocks, gram) => {
        const into = new Uint32Array(blocks)
        try {
          const reader = new ChunkReader({ first: 0, data }, blocks)
          const count = reader.seek(gram) ? reader.read(into) : 0
          expect(count === undefined || count <= blocks).toBe(true)
        } catch (error) {
          if (!(error instanceof Damaged)) throw error
        }
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['a bitmap of more blocks', [9, 0, 1, 0xff]],
    ['more blocks than there are', [9, 0, 7, 0, 0, 0, 0, 0, 0]],
    ['a block that is not there', [9, 0, 2, 5]],
    ['a gram outside of the chunk', [9, 9, 2, 0]],
  ])('%s: refused', (_, bytes) => {
    const chunk = new ChunkReader({ first: 0, data: Uint8Array.from(bytes) }, 5)
    const readAll = () => {
      while (chunk.next() !== undefined) chunk.read(new Uint32Array(5))
    }
    expect(readAll).toThrow(Damaged)
  })

  test('a list longer than its segment is not written', () => {
    const writer = new ChunkWriter(2, () => {})
    expect(() => writer.add(1, Uint32Array.from([0, 1, 2]), 3)).toThrow(RangeError)
    expect(() => writer.add(1, Uint32Array.from([0]), 2)).toThrow(RangeError)
    expect(() => writer.add(1, Uint32Array.from([0]), 0)).toThrow(RangeError)
  })
})

test.each([
  [63, 63, false],
  [64, 32, false],
  [64, 33, true],
])('of %i blocks a list of %i is dropped: %s', (blocks, count, dropped) => {
  expect(isDropped(count, blocks)).toBe(dropped)
})
