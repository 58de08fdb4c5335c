import { isUtf8 } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { PATTERNS } from '../patterns.ts'
import { type LogPlan, logText } from './log-text.ts'
import { planDay } from './plan.ts'

const MIB = 2 ** 20
const BLOCK = 64 * 1024

/** A day of logs in one text. */
function dayOf(seed: number, day = 0): string {
  return planDay(seed, day, 4 * MIB)
    .flatMap((plan) => [...logText(seed, plan)])
    .join('')
}

const day = dayOf(1)

describe('sizes', () => {
  const sizes = planDay(1, 0, 1024 * MIB).map(({ bytes }) => bytes)
  const sorted = sizes.toSorted((a, b) => a - b)

  test('about a thousand logs a GiB, from 10 KB to 48 MB, half below about 334 KB', () => {
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1024 * MIB)
    expect(sizes.length).toBeGreaterThan(800)
    expect(sizes.length).toBeLessThan(1300)
    expect(sorted[1]).toBeGreaterThanOrEqual(10_000)
    expect(sorted.at(-1)).toBeLessThanOrEqual(48_000_000)
    expect(sorted.at(-1)).toBeGreaterThan(20_000_000)
    expect(Math.abs((sorted[sorted.length >> 1] ?? 0) - 334_000)).toBeLessThan(60_000)
  })

  test('runs of a day begin on that day, no two at once', () => {
    const starts = planDay(1, 3, 64 * MIB).map(({ start }) => start)
    expect(new Set(starts).size).toBe(starts.length)
    expect(new Set(starts.map((start) => new Date(start).toISOString().slice(0, 10)))).toEqual(new Set(['2026-03-04']))
  })
})

describe('text', () => {
  test('is the same from the same seed, and another from another seed or day', () => {
    expect(dayOf(1) === day).toBe(true)
    expect(dayOf(2) === day).toBe(false)
    expect(dayOf(1, 1) === day).toBe(false)
  })

  test('keeps to the sizes planned, to within a line', () => {
    const plan: LogPlan = { day: 0, index: 7, bytes: 300_000, start: Date.UTC(2026, 2, 1), holds: [] }
    const length = Buffer.byteLength([...logText(1, plan)].join(''))
    expect(length).toBeGreaterThanOrEqual(300_000)
    expect(length).toBeLessThan(303_000)
  })

  test('is clean: valid UTF-8 with lines that end in \\n, without escape codes or carriage returns', () => {
    expect(isUtf8(Buffer.from(day))).toBe(true)
    expect(day.isWellFormed()).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(day).not.toMatch(/[\u001b\r\u0000\u2028\u2029]/)
    expect(day.endsWith('\n')).toBe(true)
    expect(Math.max(...day.split('\n').map(({ length }) => length))).toBeLessThan(BLOCK)
  })

  test('is as various as logs are: 7 to 10 thousand trigrams in 64 KiB', () => {
    const counts: number[] = []
    for (let at = 0; at + BLOCK < day.length; at += BLOCK) counts.push(trigrams(day.slice(at, at + BLOCK)))
    const median = counts.toSorted((a, b) => a - b)[counts.length >> 1]
    expect(median).toBeGreaterThan(7_000)
    expect(median).toBeLessThan(10_500)
  })

  test('holds slots filled in: no brace of a template is left', () => {
    expect(day).not.toMatch(/\{(?:n|small|word|pod|hex8|klog|dump)\}/)
  })
})

const lines = day.split('\n')
const tuned = PATTERNS.filter(({ kind, name }) => kind !== 'pasted' && name !== 'common words, none')

test.each(tuned)('$name finds something in any day', ({ pattern }) => {
  const [, text = ''] = /^(?:\(\?i\))?(.*)$/.exec(pattern) ?? []
  const regex = new RegExp(text, /[A-Z]/.test(text) && text === pattern ? '' : 'i')
  expect(lines.some((line) => regex.test(line))).toBe(true)
})

function trigrams(text: string): number {
  const folded = text.toLowerCase()
  const seen = new Set<string>()
  for (let at = 0; at + 3 <= folded.length; at++) seen.add(folded.slice(at, at + 3))
  return seen.size
}
