import { type SignatureChart, signatureDrawing } from '#lib/chart/signature-drawing.ts'
import { timeline } from '#lib/chart/timeline.ts'
import { STATE_WORDS } from '#lib/incident/verdict-words.ts'
import { isCounted } from '#lib/incident/votes.ts'
import type { Context } from '#lib/service/context.ts'
import { wholeDays } from '#lib/service/link-picture.ts'
import { signatureView } from '#lib/service/signature.ts'
import { day } from '../_ui/format.ts'
import { rulesOf } from '../_ui/rules-of.ts'

/** Px: as wide as a column of an issue shows without scaling it down much. */
const WIDTH = 860

/** A signature's chart for where there is no page round it. Throws NOT_FOUND. */
export async function signatureChart(ctx: Context, id: string) {
  const view = await signatureView(ctx, id)
  const { signature, verdict, incidents, days, cadence, completeTo } = view
  const window = wholeDays(view)
  const told: SignatureChart = {
    title: signature.title,
    state: verdict.state,
    stateWord: STATE_WORDS[verdict.state],
    sentences: view.sentences,
    legend: [
      '● incident, larger with the runs hit',
      ...(incidents.every(isCounted) ? [] : ['○ one PR or run only, not counted']),
      'watched: hours a day in which a run could have shown it',
      `UTC, to ${day(view.window.to)}`,
    ].join(' · '),
    timeline: timeline(
      {
        window,
        incidents,
        changes: rulesOf(view),
        days,
        continuous: cadence.continuous,
        ...(completeTo !== undefined && { completeTo }),
      },
      WIDTH,
    ),
  }
  return { told, drawing: signatureDrawing(told) }
}
