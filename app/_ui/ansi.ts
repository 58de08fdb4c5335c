import Anser from 'anser'
import { shownText } from '#lib/text/printable.ts'

/** A stretch of a line with one look; `className` is empty for plain text. */
export interface Span {
  readonly text: string
  readonly className: string
}

type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray'

// Whole names, so that Tailwind finds them. Black and white are the page's own ink and paper in either theme.
const FOREGROUND: Readonly<Record<Colour, string>> = {
  red: 'text-ansi-red',
  green: 'text-ansi-green',
  yellow: 'text-ansi-yellow',
  blue: 'text-ansi-blue',
  magenta: 'text-ansi-magenta',
  cyan: 'text-ansi-cyan',
  gray: 'text-ansi-gray',
}
const DECORATION: Readonly<Record<string, string>> = {
  bold: 'font-semibold',
  dim: 'text-faint',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'line-through',
}

/**
 * Escape sequences as match text (lib/text) leaves them out, so that places in a line are the same in both; an ESC that
 * starts none of them is a character. Of the sequences only colours are drawn: others move cursors and name windows.
 */
const ESC = '\u001b'
const SEQUENCE = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${ESC}\\n]*(?:\\u0007|${ESC}\\\\))?`, 'g')
const COLOUR = new RegExp(`^${ESC}\\[[\\d;]*m$`)

/** A line's text with its colours as classes. Never markup: whatever the log holds stays text. */
export function ansiSpans(line: string): Span[] {
  const text = line.replace(/\r+$/, '')
  if (!text.includes(ESC)) return text === '' ? [] : [{ text: shownText(text), className: '' }]
  const coloured = text.replace(SEQUENCE, (found) => (COLOUR.test(found) ? found : found === ESC ? '␛' : ''))
  const entries = Anser.ansiToJson(coloured, { json: true, use_classes: true, remove_empty: true })
  return entries.map(({ content, fg, bg, fg_truecolor, bg_truecolor, decorations }) => {
    const front = colourOf(fg, fg_truecolor)
    const back = colourOf(bg, bg_truecolor)
    const classes = [
      front && FOREGROUND[front],
      back && (front ? 'bg-line' : `${FOREGROUND[back]} bg-line`),
      ...decorations.map((name) => DECORATION[name]),
    ]
    return { text: shownText(content), className: classes.filter(Boolean).join(' ') }
  })
}

/** The nearest of the colours that can be read on both themes; undefined for black, white and none. */
function colourOf(name: string | null, truecolor: string | null): Colour | undefined {
  if (!name) return undefined
  if (name === 'ansi-truecolor') return nearest(rgbOf(truecolor ?? ''))
  const palette = /^ansi-palette-(\d+)$/.exec(name)
  if (palette) return nearest(paletteRgb(Number(palette[1])))
  if (name === 'ansi-bright-black') return 'gray'
  const plain = name.replace('ansi-', '').replace('bright-', '')
  return isColour(plain) ? plain : undefined
}

function isColour(name: string): name is Colour {
  return Object.hasOwn(FOREGROUND, name)
}

type Rgb = readonly [number, number, number]

function rgbOf(text: string): Rgb {
  const [r = 0, g = 0, b = 0] = text.split(',').map(Number)
  return [r, g, b]
}

/** xterm's 256 colours: a cube of 6 × 6 × 6 from 16, greys from 232. */
function paletteRgb(index: number): Rgb {
  if (index >= 232) return grey(8 + 10 * (index - 232))
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step)
  const cube = index - 16
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]
}

function grey(level: number): Rgb {
  return [level, level, level]
}

const HUES: readonly (readonly [number, Colour])[] = [
  [30, 'red'],
  [75, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [260, 'blue'],
  [330, 'magenta'],
  [361, 'red'],
]

function nearest([r, g, b]: Rgb): Colour | undefined {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const spread = most - least
  if (spread < 40) return most > 60 && most < 200 ? 'gray' : undefined
  const turn = most === r ? ((g - b) / spread + 6) % 6 : most === g ? (b - r) / spread + 2 : (r - g) / spread + 4
  return HUES.find(([end]) => turn * 60 < end)?.[1]
}
