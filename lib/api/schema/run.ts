import { z } from 'zod'
import type { Hit as HitModel, Placed as PlacedModel, TrackMark, Track as TrackModel } from '../../model/hit.ts'
import {
  type FailureLine as FailureLineModel,
  LOG_KINDS,
  type Log as LogModel,
  RUN_RESULTS,
  RUN_TYPES,
  type Run as RunModel,
  type RunRefs as RunRefsModel,
} from '../../model/run.ts'
import type {
  FindView as FindViewModel,
  HitView as HitViewModel,
  LogWindow as LogWindowModel,
  RunLinks as RunLinksModel,
  RunView,
} from '../../service/views.ts'
import { EngineLack, Searched } from './searched.ts'
import { Count, shape, Time, texts } from './shape.ts'
import { Signature } from './signature-file.ts'

export const runKey = {
  bucket: z.string().meta({ description: '`gs://name`, or `dir://name` of a directory' }),
  path: z.string().meta({ description: '`logs/<job>/<build id>`, or below `pr-logs/pull/`' }),
}
export const RunResult = z.enum(RUN_RESULTS).meta({ id: 'RunResult', description: '`pending`: it has not finished' })
/** By result. */
export const RunCounts = shape<Readonly<Record<RunModel['result'], number>>>()({
  success: Count,
  failure: Count,
  aborted: Count,
  error: Count,
  pending: Count,
  lost: Count,
})
export const RunType = z.enum(RUN_TYPES)

export const RunRefs = shape<RunRefsModel>()({
  org: z.string(),
  repo: z.string(),
  baseRef: z.string().exactOptional(),
  baseSha: z.string().exactOptional(),
  pulls: z.array(
    shape<RunRefsModel['pulls'][number]>()({
      number: z.number(),
      author: z.string().exactOptional(),
      sha: z.string().exactOptional(),
    }),
  ),
}).meta({ id: 'RunRefs' })

export const FailureLine = shape<FailureLineModel>()({
  log: z.string(),
  line: Count.meta({ description: 'From 1' }),
  text: z.string(),
  group: z.string().meta({ description: 'Id of the group of failures alike' }),
}).meta({ id: 'FailureLine', description: 'The line that says why a run failed' })

export const Run = shape<RunModel>()({
  ...runKey,
  job: z.string(),
  buildId: z.string(),
  type: RunType,
  result: RunResult,
  startedAt: Time.exactOptional(),
  finishedAt: Time.exactOptional(),
  time: Time,
  timeSource: z.enum(['finished', 'started', 'id']),
  refs: RunRefs.exactOptional(),
  cluster: z.string().exactOptional().meta({ description: 'Build cluster' }),
  description: z.string().exactOptional(),
  failure: FailureLine.exactOptional(),
  warnings: texts,
}).meta({ id: 'Run' })

export const Log = shape<LogModel>()({
  name: z.string(),
  kind: z.enum(LOG_KINDS),
  bytes: Count,
  lines: Count,
  truncatedFrom: Count.exactOptional().meta({ description: 'Bytes it had before its middle was cut out' }),
  broken: z.string().exactOptional(),
}).meta({ id: 'Log' })

export const RunLinks = shape<RunLinksModel>()({
  prowl: z.string(),
  spyglass: z.string().exactOptional(),
  artifacts: z.string().exactOptional(),
  jobHistory: z.string().exactOptional(),
  pull: z.string().exactOptional(),
}).meta({ id: 'RunLinks' })

const Placed = shape<PlacedModel>()({
  earliest: Time,
  latest: Time,
  source: z.enum(['line', 'neighbours', 'heartbeats', 'run', 'id']),
}).meta({ id: 'Placed', description: 'When a line was written, within bounds' })

export const Hit = shape<HitModel>()({
  ...runKey,
  signature: z.string(),
  definition: z.string().meta({ description: 'Hash of the rules that found it' }),
  job: z.string(),
  log: z.string(),
  line: Count,
  text: z.string(),
  before: texts,
  after: texts,
  cause: z.string(),
  resource: z.string(),
  recovered: z.literal(true).exactOptional(),
  placed: Placed,
  time: Time,
}).meta({ id: 'Hit' })

export const Track = shape<TrackModel>()({
  ...runKey,
  signature: z.string(),
  resource: z.string(),
  log: z.string(),
  marks: z.array(shape<TrackMark>()({ what: z.string(), line: Count, placed: Placed })),
}).meta({
  id: 'Track',
  description: 'Lines of one run that show that it could have shown the failure, and those that did',
})

export const HitView = shape<HitViewModel>()({ hit: Hit, run: Run.exactOptional(), links: RunLinks }).meta({
  id: 'HitView',
})

const LogWindow = shape<LogWindowModel>()({
  log: Log,
  from: Count,
  to: Count,
  lines: z.array(shape<LogWindowModel['lines'][number]>()({ number: Count, text: z.string(), cut: z.boolean() })),
  hitLines: z.array(Count),
})

const Find = shape<FindViewModel>()({
  pattern: z.string(),
  lines: Count.meta({
    description: 'That match, in all logs of the run; at least so many where `partial` is not empty',
  }),
  logs: z.array(shape<FindViewModel['logs'][number]>()({ log: z.string(), lines: Count })),
  marks: z
    .array(
      shape<FindViewModel['marks'][number]>()({
        line: Count,
        spans: z.array(shape<FindViewModel['marks'][number]['spans'][number]>()({ from: Count, to: Count })),
      }),
    )
    .meta({ description: 'In the window; spans are UTF-16 units of the line without its escape codes' }),
  previous: Count.exactOptional().meta({ description: 'The nearest matching line before the window' }),
  next: Count.exactOptional().meta({ description: 'And after it' }),
  searched: Searched,
  partial: z.array(EngineLack),
})

export const RunAnswer = shape<RunView>()({
  run: Run,
  logs: z.array(Log),
  expired: z.boolean(),
  links: RunLinks,
  hits: z.array(
    shape<RunView['hits'][number]>()({
      hit: Hit,
      run: Run.exactOptional(),
      links: RunLinks,
      signature: Signature.exactOptional(),
    }),
  ),
  window: LogWindow.exactOptional(),
  find: Find.exactOptional(),
})
