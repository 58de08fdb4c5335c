import { z } from 'zod'
import type {
  EditAnswer as EditAnswerModel,
  EditChange,
  EditProblem as EditProblemModel,
  EditRun,
  EditRuns as EditRunsModel,
  EditView,
} from '../../service/edit-view.ts'
import type { FiguresView } from '../../service/figures.ts'
import type { SignatureView } from '../../service/views.ts'
import type { OrderKey } from '../../store/store.ts'
import type { Breakdown } from '../../triage/breakdown.ts'
import type { Share as ShareModel } from '../../triage/share.ts'
import { Cadence, Incident, Outcomes, Verdict } from './incident.ts'
import { HitView, Run, RunLinks } from './run.ts'
import { Count, shape, Time, texts } from './shape.ts'
import { CatalogueProblem, Change, Signature } from './signature-file.ts'

export const Window = z.strictObject({ from: Time, to: Time })
export const DaysWindow = z.strictObject({ days: Count, from: Time, to: Time })

export const Share = shape<ShareModel>()({
  part: Count,
  whole: Count,
  interval: shape<ShareModel['interval']>()({ low: z.number(), high: z.number() }),
}).meta({ id: 'Share', description: 'A part of a whole, with its exact 95 % interval' })

const named = { id: z.string(), title: z.string() }

const NextHits = shape<OrderKey>()({
  time: Time,
  bucket: z.string(),
  path: z.string(),
  log: z.string().exactOptional(),
  line: Count.exactOptional(),
})

export const SignatureAnswer = shape<SignatureView>()({
  signature: Signature,
  parts: z.array(Signature),
  parent: Signature.exactOptional(),
  cadence: Cadence,
  verdict: Verdict,
  sentences: texts,
  incidents: z.array(Incident),
  changes: z.array(Change),
  days: z.array(
    shape<SignatureView['days'][number]>()({ day: Time, watchedHours: z.number(), runs: Count, runsHit: Count }),
  ),
  window: Window,
  completeTo: Time.exactOptional(),
  evaluatedFrom: Time.exactOptional(),
  causes: z.array(shape<SignatureView['causes'][number]>()({ ...named, runs: Count })),
  outcomes: shape<SignatureView['outcomes']>()({ failed: Count, passed: Count, other: Count }),
  hits: z.array(HitView),
  moreHits: z.boolean(),
  nextHits: NextHits.exactOptional(),
})

type Figures = FiguresView['scorecard']

export const FiguresAnswer = shape<FiguresView>()({
  window: DaysWindow,
  breakdowns: z.array(
    shape<Breakdown>()({
      by: z.string(),
      rows: z.array(shape<Breakdown['rows'][number]>()({ value: z.string(), share: Share, pulls: Count })),
    }),
  ),
  scorecard: shape<Figures>()({
    failed: Share,
    passed: Share,
    attributable: z.number(),
    outcomes: Outcomes,
    overlaps: z.array(
      shape<Figures['overlaps'][number]>()({ signature: z.string(), title: z.string(), runs: Count, of: Count }),
    ),
    last: Time.exactOptional(),
    warnings: texts,
  }),
  together: z.array(shape<FiguresView['together'][number]>()({ ...named, times: Count, expected: z.number() })),
})

const EditRuns = shape<EditRunsModel>()({
  count: Count,
  runs: z.array(shape<EditRun>()({ run: Run, links: RunLinks, hits: z.array(HitView), moreHits: Count })),
})

const EditAnswer = shape<EditAnswerModel>()({
  previews: z.array(
    shape<EditChange>()({
      signature: z.string(),
      title: z.string(),
      why: z.enum(['new', 'edited', 'removed', 'family', 'yields']),
      gained: EditRuns,
      lost: EditRuns,
      kept: Count,
    }),
  ),
  runs: Count,
  expired: Count,
  leftOut: Count,
  partial: z.boolean(),
  comparedFrom: Time.exactOptional(),
  stale: texts,
})

export const EditProblem = shape<EditProblemModel>()({
  ...CatalogueProblem.shape,
  in: z.enum(['edit', 'file']),
  text: z.string().exactOptional(),
})

export const PreviewAnswer = shape<Omit<EditView, 'error'>>()({
  signature: shape<NonNullable<EditView['signature']>>()(named).exactOptional(),
  file: z.string(),
  lines: shape<NonNullable<EditView['lines']>>()({ from: Count, to: Count }).exactOptional(),
  yaml: z.string(),
  same: z.literal(true).exactOptional(),
  problems: z.array(EditProblem),
  moreProblems: Count.exactOptional(),
  answer: EditAnswer.exactOptional(),
  paste: z.string().exactOptional(),
})
