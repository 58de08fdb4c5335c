import { ImageResponse } from 'next/og'
import { answer } from '#app/_api/answer.ts'
import { choiceOf, picture } from '#app/_api/picture.ts'
import { signatureChart } from '#app/_api/signature-chart.ts'
import { DARK, LIGHT } from '#lib/chart/palette.ts'
import { context } from '#lib/service/open.ts'
import { Drawn } from '../../../_ui/drawn.tsx'

/** Pixels a px: sharp on the screens of today. */
const SCALE = 2

/** The chart to embed where SVG is not shown. */
export function GET(request: Request, { params }: RouteContext<'/signatures/[id]/chart.png'>): Promise<Response> {
  return answer(request, async () => {
    const theme = choiceOf(request, 'theme', ['light', 'dark'])
    const { drawing } = await signatureChart(await context(), decodeURIComponent((await params).id))
    const palette = theme === 'dark' ? DARK : LIGHT
    const size = { width: drawing.width * SCALE, height: drawing.height * SCALE }
    return await picture(request, [drawing, theme], { type: 'image/png', keep: 'short' }, () =>
      new ImageResponse(
        <div style={{ display: 'flex', width: '100%', height: '100%', background: palette.paper }}>
          <Drawn drawing={drawing} palette={palette} scale={SCALE} />
        </div>,
        size,
      ).arrayBuffer(),
    )
  })
}
