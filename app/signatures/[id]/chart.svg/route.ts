import { answer } from '#app/_api/answer.ts'
import { choiceOf, picture } from '#app/_api/picture.ts'
import { signatureChart } from '#app/_api/signature-chart.ts'
import { drawingSvg } from '#lib/chart/drawing.ts'
import { context } from '#lib/service/open.ts'

/** The chart to embed in issues; `theme` fixes its colours, which else are those of the reader's system. */
export function GET(request: Request, { params }: RouteContext<'/signatures/[id]/chart.svg'>): Promise<Response> {
  return answer(request, async () => {
    const theme = choiceOf(request, 'theme', ['auto', 'light', 'dark'])
    const { told, drawing } = await signatureChart(await context(), decodeURIComponent((await params).id))
    const words = { title: `${told.title}: ${told.stateWord}`, description: told.sentences.join(' '), theme }
    return await picture(request, [drawing, words], { type: 'image/svg+xml', keep: 'short' }, () =>
      drawingSvg(drawing, words),
    )
  })
}
