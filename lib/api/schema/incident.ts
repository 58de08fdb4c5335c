import { z } from 'zod'
import type {
  Cadence as CadenceModel,
  Incident as IncidentModel,
  IncidentRun as IncidentRunModel,
  RunOutcome as RunOutcomeModel,
  Watched,
} from '../../model/incident.ts'
import type { ChangeGroup as ChangeGroupModel, Verdict as VerdictModel } from '../../model/verdict.ts'
import type { Companion as CompanionModel, IncidentView } from '../../service/views.ts'
import { Hit, Run, RunLinks, RunType, runKey, Track } from './run.ts'
import { Bound, Count, shape, Time, texts } from './shape.ts'
import { Change, Signature } from './signature-file.ts'

const RunOutcome = z.enum(['died', 'later', 'passed', 'other'])
const Within = shape<IncidentModel['from']>()({ earliest: Time, latest: Time })
export const Outcomes = shape<Readonly<Record<RunOutcomeModel, number>>>()({
  died: Count,
  later: Count,
  passed: Count,
  other: Count,
})

const IncidentRun = shape<IncidentRunModel>()({
  ...runKey,
  job: z.string(),
  buildId: z.string(),
  time: Time,
  result: z.string(),
  outcome: RunOutcome,
  type: RunType.exactOptional(),
  cluster: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  failure: z.string().exactOptional().meta({ description: 'Group of the line that it failed with' }),
  pulls: texts.exactOptional(),
  causes: texts.exactOptional(),
}).meta({ id: 'IncidentRun' })

export const Incident = shape<IncidentModel>()({
  id: z.string(),
  aliases: texts,
  signature: z.string(),
  from: Within,
  to: Within,
  at: Time,
  causes: texts,
  runs: z.array(IncidentRun),
  jobs: texts,
  pulls: texts,
  clusters: texts,
  votes: Count.meta({ description: 'Pull requests, and runs of none; below 2 an outage does not count' }),
}).meta({ id: 'Incident', description: 'Hits that belong to one outage' })

const watched = { watchedHours: z.number(), exposedRuns: z.number() }
const ChangeGroup = shape<ChangeGroupModel>()({ changes: z.array(Change), from: Time, to: Time, countsFrom: Time })

export const Cadence = shape<CadenceModel>()({
  unit: z.enum(['days', 'runs']),
  from: Time,
  to: Time,
  incidents: Count,
  mean: z.number().exactOptional(),
  interval: shape<CadenceModel['interval']>()({ low: z.number(), high: Bound }),
  gaps: z.array(z.number()),
  ...watched,
  last: Time.exactOptional(),
  group: ChangeGroup.exactOptional(),
  later: z.array(Change).exactOptional(),
  since: z.array(Time),
  after: shape<NonNullable<CadenceModel['after']>>()({ ...watched, to: Time, incidents: Count }).exactOptional(),
  quiet: shape<NonNullable<CadenceModel['quiet']>>()({ ...watched, from: Time, to: Time }).exactOptional(),
  daily: shape<Watched>()(watched),
  excluded: Count,
  continuous: z.boolean(),
  runsHit: Count,
}).meta({ id: 'Cadence', description: 'How often a failure strikes (docs/statistics.md)' })

const VerdictState = z.enum(['never', 'one-pr', 'active', 'quiet', 'holding', 'rarer', 'back', 'unclear'])

export const Verdict = shape<VerdictModel>()({
  state: VerdictState,
  chance: z.number().exactOptional(),
  withheld: z.enum(['bursty', 'continuous', 'nothing before', 'not yet']).exactOptional(),
  unclear: z.enum(['witness', 'unwatched']).exactOptional(),
  expected: z.number().exactOptional(),
  allows: z.number().exactOptional(),
  tellsAt: z.union([Time, z.literal('beyond')]).exactOptional(),
  threshold: z.number().exactOptional(),
  regularity: z.enum(['regular', 'bursty', 'none']).exactOptional(),
  overdue: z.number().exactOptional(),
  quietDays: z.number().exactOptional(),
  longestGap: z.number().exactOptional(),
  jobMix: z.number().exactOptional(),
  unsteady: z
    .array(
      shape<NonNullable<VerdictModel['unsteady']>[number]>()({
        window: z.enum(['half', 'double']),
        state: VerdictState,
      }),
    )
    .exactOptional(),
}).meta({ id: 'Verdict', description: 'Whether the fix held (docs/statistics.md)' })

const Companion = shape<CompanionModel>()({
  signature: shape<CompanionModel['signature']>()({ id: z.string(), title: z.string() }),
  incident: shape<CompanionModel['incident']>()({ id: z.string(), at: Time, from: Within, to: Within, runs: Count }),
  sharedRuns: Count,
  sharedClusters: texts,
  times: Count,
  expected: z.number(),
})

export const IncidentAnswer = shape<IncidentView>()({
  signature: Signature,
  incident: Incident,
  lanes: z.array(
    shape<IncidentView['lanes'][number]>()({
      run: Run,
      tracks: z.array(Track),
      hits: z.array(Hit),
      links: RunLinks,
      outcome: RunOutcome,
      end: z.string(),
    }),
  ),
  moreRuns: Count,
  outcomes: Outcomes,
  outcomeWords: z.string(),
  together: z.array(Companion),
})
