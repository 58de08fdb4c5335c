import XMLBuilder from 'fast-xml-builder'
import { xmlText } from '../text/printable.ts'
import { DARK, type Ink, LIGHT, type Palette } from './palette.ts'

/** What is drawn with: flat shapes, in px from the upper left. */
export type Shape =
  | {
      readonly kind: 'line'
      readonly from: Point
      readonly to: Point
      readonly ink: Ink
      readonly width?: number
      readonly dash?: string
    }
  | { readonly kind: 'rect'; readonly at: Point; readonly width: number; readonly height: number; readonly ink: Ink }
  | {
      readonly kind: 'circle'
      readonly at: Point
      readonly r: number
      readonly ink: Ink
      readonly hollow?: true
      readonly dash?: string
    }
  | { readonly kind: 'stroke'; readonly points: readonly Point[]; readonly ink: Ink; readonly width: number }

export type Point = readonly [x: number, y: number]

export interface Words {
  readonly text: string
  /** Where the anchor lies on the base line. */
  readonly at: Point
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly ink: Ink
  /** Px. */
  readonly size: number
}

/** A picture as data: it becomes SVG here, and an image by whatever draws it. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
  readonly words: readonly Words[]
}

/** `auto`: as the reader's system has it. */
export type Theme = 'light' | 'dark' | 'auto'

const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'

const builder = new XMLBuilder({ attributeNamePrefix: '@', ignoreAttributes: false, suppressEmptyNode: true })

/** The drawing as a document of its own: no script, no font, nothing fetched; whatever stands in its words stays text. */
export function drawingSvg(
  { width, height, shapes, words }: Drawing,
  told: { readonly title: string; readonly description: string; readonly theme: Theme },
): string {
  const palette = told.theme === 'dark' ? DARK : LIGHT
  const paper: Shape = { kind: 'rect', at: [0, 0], width, height, ink: 'paper' }
  return builder.build({
    svg: {
      '@xmlns': 'http://www.w3.org/2000/svg',
      '@width': width,
      '@height': height,
      '@viewBox': `0 0 ${width} ${height}`,
      '@role': 'img',
      '@font-family': FONT,
      title: xmlText(told.title),
      desc: xmlText(told.description),
      ...(told.theme === 'auto' && { style: darkStyle() }),
      g: [{ ...elements([paper, ...shapes], palette) }, { text: words.map((one) => textElement(one, palette)) }],
    },
  })
}

/** Colours stand in attributes too, for what knows no style sheets. */
function darkStyle(): string {
  const rules = Object.entries(DARK).map(([ink, colour]) => `.f-${ink}{fill:${colour}}.s-${ink}{stroke:${colour}}`)
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`
}

/** In order: each in a group of its own kind would lie over what is drawn before it. */
function elements(shapes: readonly Shape[], palette: Palette): { readonly g: readonly object[] } {
  return { g: shapes.map((shape) => element(shape, palette)) }
}

function element(shape: Shape, palette: Palette): object {
  const fill = { '@fill': palette[shape.ink], '@class': `f-${shape.ink}` }
  const stroke = { '@fill': 'none', '@stroke': palette[shape.ink], '@class': `s-${shape.ink}` }
  switch (shape.kind) {
    case 'rect':
      return { rect: { '@x': shape.at[0], '@y': shape.at[1], '@width': shape.width, '@height': shape.height, ...fill } }
    case 'circle':
      return {
        circle: {
          '@cx': shape.at[0],
          '@cy': shape.at[1],
          '@r': shape.r,
          ...(shape.hollow ? { ...stroke, '@stroke-width': 1.5 } : fill),
          ...(shape.dash && { '@stroke-dasharray': shape.dash }),
        },
      }
    case 'line':
      return {
        path: {
          '@d': pathOf([shape.from, shape.to]),
          ...stroke,
          '@stroke-width': shape.width ?? 1,
          ...(shape.dash && { '@stroke-dasharray': shape.dash }),
        },
      }
    case 'stroke':
      return { path: { '@d': pathOf(shape.points), ...stroke, '@stroke-width': shape.width } }
  }
}

export function pathOf(points: readonly Point[]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function textElement({ text, at, anchor = 'start', ink, size }: Words, palette: Palette): object {
  return {
    '@x': at[0],
    '@y': at[1],
    '@font-size': size,
    '@text-anchor': anchor,
    '@fill': palette[ink],
    '@class': `f-${ink}`,
    '#text': xmlText(text),
  }
}
