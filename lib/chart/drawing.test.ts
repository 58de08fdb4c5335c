import { describe, expect, test } from 'vitest'
import type { VerdictState } from '../model/verdict.ts'
import { makeIncident } from '../testing/values.ts'
import { drawingSvg } from './drawing.ts'
import { imageMarkdown } from './image-markdown.ts'
import { momentsDrawing } from './moments.ts'
import { signatureDrawing } from './signature-drawing.ts'
import { stateShape } from './state-shape.ts'
import { timeline } from './timeline.ts'
import { shortened, wrapped } from './wrapped.ts'

const DAY = 86_400_000
const WINDOW = { from: Date.UTC(2026, 7, 1), to: Date.UTC(2026, 10, 1) }
const HOSTILE = '</text><script>alert(1)</script>\u0000"&\ud800'

function drawn(title: string) {
  return signatureDrawing({
    title,
    state: 'rarer',
    stateWord: 'rarer',
    sentences: ['Struck twice.', title],
    legend: 'UTC',
    timeline: timeline(
      {
        window: WINDOW,
        incidents: [
          makeIncident({ at: WINDOW.from + 9 * DAY }),
          makeIncident({ at: WINDOW.from + 20 * DAY, votes: 1 }),
        ],
        changes: [{ at: WINDOW.from + 15 * DAY, title }],
        days: [{ day: WINDOW.from, watchedHours: 24 }],
        completeTo: WINDOW.to - 5 * DAY,
      },
      860,
    ),
  })
}

describe('a drawing as SVG', () => {
  const told = { title: HOSTILE, description: HOSTILE }

  test('holds what it says as text alone', () => {
    const svg = drawingSvg(drawn(HOSTILE), { ...told, theme: 'auto' })
    expect(svg).not.toContain('<script')
    expect(svg).toContain('&lt;script&gt;')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write it
    expect(svg).not.toMatch(/\u0000|[\ud800-\udfff]/)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /)
    expect(svg).not.toMatch(/href|url\(|@import/)
  })

  test.each([
    ['auto', '#ffffff', true],
    ['light', '#ffffff', false],
    ['dark', '#15171a', false],
  ] as const)('%s', (theme, paper, follows) => {
    const svg = drawingSvg(drawn('a'), { ...told, theme })
    expect(svg).toContain(`fill="${paper}"`)
    expect(svg.includes('prefers-color-scheme:dark')).toBe(follows)
  })

  test('marks lie within it, and what is not counted is hollow', () => {
    const { width, height, shapes } = drawn('a')
    const circles = shapes.flatMap((shape) => (shape.kind === 'circle' ? [shape] : []))
    for (const { at } of circles) {
      expect(at[0]).toBeLessThan(width)
      expect(at[1]).toBeLessThan(height)
    }
    expect(circles.filter(({ ink }) => ink === 'paper')).toHaveLength(1)
  })
})

test('every state has a shape of its own', () => {
  const states: VerdictState[] = ['active', 'quiet', 'holding', 'one-pr', 'unclear', 'never']
  const shapes = states.map((state) => stateShape(state, [10, 10], 5).map(({ ink: _, ...shape }) => shape))
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(states.length)
})

test('moments beyond the window are left out, labels stay within', () => {
  const at = [WINDOW.from - DAY, WINDOW.from + DAY, WINDOW.to + DAY]
  const moments = at.map((each) => ({ at: each, weight: 1, counted: true }))
  const { shapes, words } = momentsDrawing({ window: WINDOW, moments, changes: [] }, 1000, 100)
  expect(shapes.filter(({ ink }) => ink === 'ink')).toHaveLength(1)
  expect(words.map(({ text }) => text)).toContain('Sep')
})

test.each([
  ['a bc def', 4, 9, ['a bc', 'def']],
  ['a bc def', 4, 1, ['a…']],
  ['abcdefgh', 4, 9, ['abc…']],
  ['', 4, 9, []],
] as const)('wrapped: %s', (text, columns, most, lines) => {
  const shown = wrapped(text, columns, most)
  for (const line of shown) expect(line.length).toBeLessThanOrEqual(columns)
  if (most > 1) expect(shown).toEqual(lines)
  else expect(shown[0]).toMatch(/…$/)
})

test('what is left out ends at a whole character', () => expect(shortened('ab😀cd', 4)).toBe('ab…'))

test('a chart as Markdown is an image within a link, whatever it is called', () => {
  expect(imageMarkdown({ told: 'a](x) ![b]\n`c`', image: 'https://p/a b.png', link: 'https://p/)' })).toBe(
    '[![a\\]\\(x\\) \\!\\[b\\] \\`c\\`](https://p/a%20b.png)](https://p/%29)',
  )
})
