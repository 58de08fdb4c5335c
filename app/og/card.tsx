import { momentsDrawing } from '#lib/chart/moments.ts'
import { LIGHT } from '#lib/chart/palette.ts'
import { STATE_INK, stateShape } from '#lib/chart/state-shape.ts'
import { shortened, wrapped } from '#lib/chart/wrapped.ts'
import type { LinkPicture } from '#lib/service/link-picture.ts'
import { Drawn } from '../_ui/drawn.tsx'
import { drawable } from '../_ui/glyphs.ts'

/** What programs that show links ask for. */
export const CARD = { width: 1200, height: 630 }
const PAD = 56
const STRIP = { width: CARD.width - 2 * PAD, height: 132 }

/** The answer in words that are read where the picture is small, then what it rests on. */
export function Card({ picture: { kind, title, state, answer, strip, foot } }: { picture: LinkPicture }) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: '100%',
        height: '100%',
        padding: `44px ${PAD}px 36px`,
        background: LIGHT.paper,
        color: LIGHT.ink,
      }}
    >
      <div style={{ display: 'flex', justifyContent: 'space-between', fontSize: 24, color: LIGHT.faint }}>
        <div style={{ display: 'flex' }}>{drawable(kind)}</div>
        <div style={{ display: 'flex' }}>prowl</div>
      </div>
      <Lines lines={wrapped(title, 49, 2)} size={48} top={14} colour={LIGHT.ink} />
      {state && <State state={state} />}
      <Lines lines={wrapped(answer, 80, state ? 4 : 5)} size={28} top={18} colour={LIGHT.soft} />
      <div style={{ display: 'flex', flexGrow: 1 }} />
      <Drawn drawing={momentsDrawing(strip, STRIP.width, STRIP.height)} palette={LIGHT} />
      <div style={{ display: 'flex', marginTop: 8, fontSize: 20, color: LIGHT.faint }}>{drawable(foot)}</div>
    </div>
  )
}

function State({ state: { is, word } }: { state: NonNullable<LinkPicture['state']> }) {
  const shape = { width: 36, height: 36, shapes: stateShape(is, [16, 19], 14), words: [] }
  return (
    <div style={{ display: 'flex', alignItems: 'center', marginTop: 12, fontSize: 38, color: LIGHT[STATE_INK[is]] }}>
      <Drawn drawing={shape} palette={LIGHT} />
      <div style={{ display: 'flex', marginLeft: 10 }}>{drawable(word)}</div>
    </div>
  )
}

function Lines({ lines, size, top, colour }: { lines: readonly string[]; size: number; top: number; colour: string }) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        marginTop: top,
        fontSize: size,
        lineHeight: 1.3,
        color: colour,
      }}
    >
      {lines.map((line) => (
        <div key={line} style={{ display: 'flex', whiteSpace: 'nowrap' }}>
          {shortened(drawable(line), 90)}
        </div>
      ))}
    </div>
  )
}
