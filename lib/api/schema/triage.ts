import { z } from 'zod'
import type { BugView } from '../../service/bug.ts'
import type { CoverageView } from '../../service/coverage.ts'
import type { GroupPreview as GroupPreviewModel } from '../../service/group-preview.ts'
import type { Example as ExampleModel, GroupRow, GroupsView, GroupView } from '../../service/groups.ts'
import type { TriageRow as TriageRowModel, TriageView } from '../../service/views.ts'
import type { Covered as CoveredModel, Killed } from '../../triage/coverage.ts'
import type { Group } from '../../triage/groups.ts'
import type { News, Struck as StruckModel } from '../../triage/news.ts'
import type { Usual } from '../../triage/usual.ts'
import { Cadence, Incident, Verdict } from './incident.ts'
import { FailureLine, Run, RunLinks } from './run.ts'
import { Count, Day, shape, Time, texts } from './shape.ts'
import { DaysWindow, Share, Window } from './signature.ts'
import { CatalogueProblem, Signature } from './signature-file.ts'

const killed = { signature: z.string(), share: Share, onlyThis: Count }
const covered = { failed: Count, died: Count }
const Apart = shape<CoverageView['apart']>()({ aborted: Count, lost: Count })

const TriageRow = shape<TriageRowModel>()({
  signature: Signature,
  parts: z.array(shape<TriageRowModel['parts'][number]>()({ signature: Signature, runsHit: Count })),
  cadence: Cadence,
  verdict: Verdict,
  stateWord: z.string(),
  words: z.string(),
  incidents: z.array(Incident),
  killed: shape<Killed>()(killed).exactOptional(),
  lastSeen: Time.exactOptional(),
  runsHit: Count,
  hits24h: Count,
  usual24h: shape<Usual>()({ low: Count, high: Count, days: Count }).exactOptional(),
}).meta({ id: 'TriageRow' })

const Struck = shape<StruckModel>()({
  kind: z.enum(['new', 'again', 'under way']),
  signature: shape<StruckModel['signature']>()({ id: z.string(), title: z.string() }),
  incident: shape<StruckModel['incident']>()({
    id: z.string(),
    at: Time,
    from: Time,
    to: Time,
    runs: Count,
    clusters: texts,
  }),
  after: z.enum(['change', 'quiet']).exactOptional(),
})

export const TriageAnswer = shape<TriageView>()({
  window: Window,
  coverage: shape<TriageView['coverage']>()({ window: DaysWindow, ...covered, apart: Apart }),
  news: shape<News>()({
    since: Time,
    struck: z.array(Struck),
    groups: z.array(shape<News['groups'][number]>()({ id: z.string(), text: z.string(), runs: Count })),
  }),
  owners: z.array(shape<TriageView['owners'][number]>()({ owner: z.string(), signatures: Count })),
  owner: z.string().exactOptional(),
  rows: z.array(TriageRow),
  muted: z.array(TriageRow),
  catalogueProblems: z.array(CatalogueProblem),
})

const Example = shape<ExampleModel>()({ run: Run, failure: FailureLine, links: RunLinks })

const GroupPreview = shape<GroupPreviewModel>()({
  explains: Count,
  passing: Count,
  others: Count,
  countedFrom: Time.exactOptional(),
})

const group = {
  id: z.string(),
  runs: Count,
  days: z.array(Count).meta({ description: 'Of each day of the window, in order' }),
  jobs: z.array(shape<Group['jobs'][number]>()({ job: z.string(), runs: Count })),
}

export const GroupsAnswer = shape<GroupsView>()({
  window: DaysWindow,
  unknown: Count,
  unnamed: Count,
  count: Count,
  groups: z.array(
    shape<GroupRow>()({
      ...group,
      example: Example,
      firstSeen: Day,
      isNew: z.boolean(),
      preview: GroupPreview.exactOptional(),
    }),
  ),
}).meta({ id: 'UnexplainedFailures' })

export const GroupAnswer = shape<GroupView>()({
  id: z.string(),
  window: DaysWindow,
  folded: z.string(),
  group: shape<Group>()(group).exactOptional(),
  firstSeen: Day,
  isNew: z.boolean(),
  unknown: Count,
  examples: z.array(Example),
  proposal: shape<NonNullable<GroupView['proposal']>>()({
    id: z.string(),
    title: z.string(),
    regex: z.string(),
    samples: texts,
    yaml: z.string(),
    preview: GroupPreview,
  }).exactOptional(),
})

const Covered = shape<CoveredModel>()(covered)

export const CoverageAnswer = shape<CoverageView & { readonly unexplained: GroupsView }>()({
  window: DaysWindow,
  ...covered,
  apart: Apart,
  share: Share,
  blames: shape<CoverageView['blames']>()({
    infra: Count,
    product: Count,
    test: Count,
    unsaid: Count,
    several: Count,
  }),
  types: shape<CoverageView['types']>()({ periodic: Covered, presubmit: Covered, others: Covered }),
  days: z.array(shape<CoverageView['days'][number]>()({ ...covered, day: Day })),
  jobs: z.array(shape<CoverageView['jobs'][number]>()({ ...covered, job: z.string() })),
  signatures: z.array(
    shape<CoverageView['signatures'][number]>()({
      ...killed,
      title: z.string(),
      blames: z.enum(['infra', 'product', 'test']).exactOptional(),
    }),
  ),
  unexplained: GroupsAnswer,
})

export const BugAnswer = shape<BugView>()({
  name: z.string().exactOptional(),
  given: z.string(),
  address: z.string().exactOptional(),
  signatures: z.array(
    shape<BugView['signatures'][number]>()({ signature: Signature, sentences: texts, incidents: z.array(Incident) }),
  ),
  moreSignatures: Count,
  evidence: z.array(shape<BugView['evidence'][number]>()({ id: z.string(), frozenAt: Time, headline: z.string() })),
})
