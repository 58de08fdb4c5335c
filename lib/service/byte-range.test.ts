import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteRange, sliced } from './byte-range.ts'

describe('what a Range header asks of 100 bytes', () => {
  test.each([
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-999', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['Bytes = 5 - 5', { first: 5, last: 5 }],
    ['bytes=99-', { first: 99, last: 99 }],
    [`bytes=0-${'9'.repeat(400)}`, { first: 0, last: 99 }],
    ['bytes=100-', 'none'],
    [`bytes=${'9'.repeat(400)}-`, 'none'],
    ['bytes=-0', 'none'],
    [null, undefined],
    ['', undefined],
    ['bytes=', undefined],
    ['bytes=-', undefined],
    ['bytes=9-0', undefined],
    ['bytes=0-1,5-6', undefined],
    ['lines=0-9', undefined],
    ['bytes=a-b', undefined],
    ['bytes=0x1-2', undefined],
    ['bytes=1e1-', undefined],
  ] as const)('%s', (header, range) => {
    expect(byteRange(header, 100)).toEqual(range)
  })

  test('of nothing there is no range', () => {
    expect(byteRange('bytes=0-', 0)).toBe('none')
    expect(byteRange('bytes=-5', 0)).toBe('none')
  })
})

test('a range of bytes is the same, however they are cut in chunks', async () => {
  const chunk = fc.uint8Array({ minLength: 1, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1 }), fc.nat(), fc.nat(), async (chunks, a, b) => {
      const whole = Buffer.concat(chunks)
      const [first, last] = [a % whole.length, b % whole.length].sort((x, y) => x - y)
      const given: Uint8Array[] = []
      for await (const part of sliced(each(chunks), { first: first ?? 0, last: last ?? 0 })) given.push(part)
      expect(Buffer.concat(given)).toEqual(whole.subarray(first, (last ?? 0) + 1))
    }),
  )
})

test('what comes after a range is not read', async () => {
  let read = 0
  async function* chunks() {
    for (; read < 10; read++) yield Uint8Array.of(read)
  }
  for await (const _ of sliced(chunks(), { first: 1, last: 2 }));
  expect(read).toBe(2)
})

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
