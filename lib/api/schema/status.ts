import { z } from 'zod'
import { Gap } from '../../model/gap.ts'
import { BackfillState, IngestState, Traffic } from '../../model/ingest-state.ts'
import type { BucketStatus, Freshness, StatusView } from '../../service/views.ts'
import type { Problem, StoreStatus } from '../../store/store.ts'
import { RunCounts, runKey } from './run.ts'
import { Count, Day, shape, Time, texts } from './shape.ts'
import { CatalogueProblem } from './signature-file.ts'

const UnreadRun = shape<Problem>()({ ...runKey, code: z.string(), message: z.string(), at: Time }).meta({
  id: 'UnreadRun',
  description: 'A run that could not be read',
})
const Progress = z.strictObject({ done: Count, total: Count })

const StoreAnswer = shape<StoreStatus>()({
  kind: z.enum(['embedded', 'elasticsearch', 'reference']),
  layout: Count,
  runs: RunCounts,
  logs: Count,
  truncatedLogs: Count,
  brokenLogs: Count,
  hits: Count,
  evidence: Count,
  rawBytes: Count,
  storedBytes: Count,
  index: shape<StoreStatus['index']>()({ blocks: Count, indexed: Count, segments: Count, quarantined: Count }),
  days: z.array(Day),
  oldest: Time.exactOptional(),
  newest: Time.exactOptional(),
  problems: z.array(UnreadRun),
  problemCount: Count,
})

const Bucket = shape<BucketStatus>()({
  bucket: z.string(),
  worker: z.string().exactOptional(),
  completeTo: Time.exactOptional(),
  lag: z.number().exactOptional(),
  lastPass: Time.exactOptional(),
  error: z.string().exactOptional(),
  queue: Count,
  retrying: Count,
  givenUp: Count,
  discovery: IngestState.shape.discovery.unwrap(),
  cursors: IngestState.shape.cursors.unwrap(),
  traffic: Traffic.exactOptional(),
  backfill: BackfillState.omit({ bucket: true }).exactOptional(),
  gaps: z.array(Gap),
}).meta({ id: 'BucketStatus' })

export const StatusAnswer = shape<StatusView>()({
  store: StoreAnswer,
  freshness: shape<Freshness>()({
    readTo: Time.exactOptional(),
    completeTo: Time.exactOptional(),
    runs: Count,
    pending: Count,
    truncated: Count,
    problems: Count,
    state: z.enum(['never', 'reading', 'fresh', 'late']),
    filling: z.literal(true).exactOptional(),
    progress: Progress.exactOptional(),
  }),
  buckets: z.array(Bucket),
  problems: z.array(UnreadRun),
  problemCodes: z.array(shape<StatusView['problemCodes'][number]>()({ code: z.string(), runs: Count })),
  signatures: Count,
  changesWatched: shape<StatusView['changesWatched']>()({ count: Count, chance: z.number() }),
  searching: shape<StatusView['searching']>()({
    threads: Count,
    tasks: Count,
    gate: shape<StatusView['searching']['gate']>()({ underWay: Count, waiting: Count }),
  }),
  reevaluation: shape<NonNullable<StatusView['reevaluation']>>()({
    signatures: texts,
    done: Count,
    total: Count,
  }).exactOptional(),
  catalogueProblems: z.array(CatalogueProblem),
})
