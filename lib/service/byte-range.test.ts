import { describe, expect, test } from 'vitest'
import { byteRange } from './byte-range.ts'

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
