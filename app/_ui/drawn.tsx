import { type Drawing, pathOf, type Shape, type Words } from '#lib/chart/drawing.ts'
import type { Palette } from '#lib/chart/palette.ts'
import { drawable } from './glyphs.ts'

/** Words are laid in boxes as wide as this, px. */
const BOX = 1200

/** A drawing within an image that `next/og` makes, `scale` times its size: shapes as SVG, words over them. */
export function Drawn({ drawing, palette, scale = 1 }: { drawing: Drawing; palette: Palette; scale?: number }) {
  const { width, height, shapes, words } = drawing
  const size = { width: width * scale, height: height * scale }
  return (
    <div style={{ display: 'flex', position: 'relative', ...size }}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: it becomes a part of an image */}
      <svg {...size} viewBox={`0 0 ${width} ${height}`}>
        {shapes.map((shape, i) => shapeElement(shape, palette, i))}
      </svg>
      {words.map((one) => (
        <div key={`${one.at} ${one.text}`} style={wordsStyle(one, palette, scale)}>
          {drawable(one.text)}
        </div>
      ))}
    </div>
  )
}

/** An element, no component: the renderer takes none within a drawing. */
function shapeElement(shape: Shape, palette: Palette, key: number) {
  const colour = palette[shape.ink]
  if (shape.kind === 'rect')
    return <rect key={key} x={shape.at[0]} y={shape.at[1]} width={shape.width} height={shape.height} fill={colour} />
  if (shape.kind === 'circle') {
    const paint = shape.hollow
      ? { fill: 'none', stroke: colour, strokeWidth: 1.5, ...(shape.dash && { strokeDasharray: shape.dash }) }
      : { fill: colour }
    return <circle key={key} cx={shape.at[0]} cy={shape.at[1]} r={shape.r} {...paint} />
  }
  const points = shape.kind === 'line' ? [shape.from, shape.to] : shape.points
  const dash = shape.kind === 'line' && shape.dash ? { strokeDasharray: shape.dash } : {}
  return <path key={key} d={pathOf(points)} fill="none" stroke={colour} strokeWidth={shape.width ?? 1} {...dash} />
}

function wordsStyle({ at: [x, y], anchor = 'start', ink, size }: Words, palette: Palette, scale: number) {
  const left = { start: x * scale, middle: x * scale - BOX / 2, end: x * scale - BOX }[anchor]
  return {
    display: 'flex',
    position: 'absolute',
    width: BOX,
    left,
    top: (y - 0.86 * size) * scale,
    justifyContent: { start: 'flex-start', middle: 'center', end: 'flex-end' }[anchor],
    fontSize: size * scale,
    lineHeight: 1,
    whiteSpace: 'nowrap',
    color: palette[ink],
  } as const
}
