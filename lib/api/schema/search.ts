import { z } from 'zod'
import { LOG_KINDS } from '../../model/run.ts'
import type { SearchHit } from '../../search/engine.ts'
import { MEETS } from '../../search/meet.ts'
import type { SearchQuery } from '../../search/query.ts'
import type { Lacking } from '../../search/tally.ts'
import type { Bin, Histogram as HistogramModel } from '../../service/histogram.ts'
import type {
  DataLack,
  DataReach,
  Impact as ImpactModel,
  RunLinks as Links,
  Matched,
  SearchGroup,
  SearchView,
} from '../../service/views.ts'
import { RunLinks, RunRefs, RunResult, runKey } from './run.ts'
import { Count, Day, shape, Time, texts } from './shape.ts'
import { Window } from './signature.ts'

export const Query = shape<SearchQuery>()({
  patterns: texts,
  meet: z.enum(['all', 'without']).exactOptional(),
  excludes: texts.exactOptional(),
  job: z.string().exactOptional(),
  excludeJob: z.string().exactOptional(),
  range: z.union([Window, z.strictObject({ lastMs: z.number(), byDefault: z.literal(true).exactOptional() })]),
  results: z.array(RunResult).exactOptional(),
  kinds: z.array(z.enum(LOG_KINDS)).exactOptional(),
  context: Count,
  groupBy: z.enum(['job', 'run', 'none']),
  maxPerRun: Count.exactOptional(),
  tally: shape<NonNullable<SearchQuery['tally']>>()({
    by: z.enum(['line', 'run']),
    group: z.string().exactOptional(),
  }).exactOptional(),
})

export const SearchHitAnswer = shape<SearchHit & { readonly links: Links }>()({
  ...runKey,
  job: z.string(),
  buildId: z.string(),
  result: RunResult,
  refs: RunRefs.exactOptional(),
  time: Time,
  log: z.string(),
  line: Count,
  patterns: z.array(Count).meta({ description: 'Which of the patterns match, from 0' }),
  text: z.string(),
  spans: z.array(shape<SearchHit['spans'][number]>()({ from: Count, to: Count, pattern: Count })),
  before: texts,
  after: texts,
  more: Count.meta({ description: 'Further lines of this log that match' }),
  runFull: z.boolean(),
  cut: z.boolean(),
  links: RunLinks,
}).meta({ id: 'SearchHit', description: 'A line that matches' })

const Impact = shape<ImpactModel>()({
  runs: Count,
  failed: Count,
  matchedRuns: Count,
  matchedFailed: Count,
  matchedPulls: Count.meta({ description: 'PRs whose runs match' }),
  words: z.string(),
}).meta({ id: 'Impact' })

const failing = { runs: Count, failedRuns: Count }

export const Lack = z.enum(['incomplete', 'late', 'filling', 'gap', 'reevaluation'])

export const Reach = shape<DataReach>()({
  state: z.enum(['never', 'reading', 'fresh', 'late']),
  readTo: Time.exactOptional(),
  completeTo: Time.exactOptional().meta({ description: 'All runs that started before are in' }),
  index: shape<DataReach['index']>()({ blocks: Count, indexed: Count, quarantined: Count }),
  words: z.string(),
  warnings: texts,
  lacking: z.array(Lack),
}).meta({ id: 'Reach', description: 'How old the answer may be' })

export const EngineLack = z.enum(['limit', 'deadline', 'bytes', 'expired', 'damaged'])
export const Partial = z
  .array(z.enum([...EngineLack.options, ...Lack.options]))
  .meta({ id: 'Partial', description: 'Why lines may be missing; empty: none are' })

export const Searched = shape<SearchView['searched']>()({
  logs: Count,
  blocks: Count,
  pruned: Count,
  bytes: Count,
  ms: z.number(),
  leftOut: Count,
})

/** Runs that match over the whole range, as `Matched` has them. */
export const matched = {
  ...failing,
  jobs: Count,
  pulls: Count,
  patterns: z.array(shape<Matched['patterns'][number]>()({ pattern: z.string(), ...failing })),
  meeting: z
    .record(z.enum(MEETS), shape<NonNullable<Matched['meeting']>['any']>()(failing))
    .exactOptional()
    .meta({ description: 'Runs that hold a line of any, of all, of the first and no other pattern' }),
  days: z.array(shape<Matched['days'][number]>()({ day: Day, ...failing })),
  countedFrom: Time.exactOptional(),
}

const Histogram = shape<HistogramModel>()({
  unit: z.enum(['hour', 'day', 'week']),
  bins: z.array(shape<Bin>()({ from: Time, to: Time, ...failing, of: Count.exactOptional() })),
  countedFrom: Time.exactOptional().meta({ description: 'Runs before were not counted' }),
}).meta({ id: 'Histogram', description: 'Runs that match, over the range' })

type Answer = Omit<SearchView, 'hits' | 'groups' | 'error' | 'partial'> & {
  readonly partial: readonly (Lacking | DataLack)[]
  readonly completeTo?: number
  readonly hits: readonly (SearchHit & { readonly links: Links })[]
  readonly groups: readonly Omit<SearchGroup, 'hits'>[]
}

export const SearchAnswer = shape<Answer>()({
  query: Query,
  range: Window,
  headline: z.string(),
  hits: z.array(SearchHitAnswer),
  groups: z.array(shape<Omit<SearchGroup, 'hits'>>()({ key: z.string(), impact: Impact.exactOptional() })),
  others: z
    .array(shape<NonNullable<SearchView['others']>[number]>()({ key: z.string(), impact: Impact }))
    .exactOptional(),
  found: shape<Matched & { readonly lines: number }>()({
    lines: Count,
    ...matched,
  }),
  of: shape<SearchView['of']>()({ runs: Count, failed: Count, jobs: Count }),
  searched: Searched,
  explained: z.array(
    shape<SearchView['explained'][number]>()({ pattern: z.string(), sentences: texts, plan: z.string() }),
  ),
  partial: Partial,
  completeTo: Time.exactOptional().meta({ description: 'All runs that started before are in' }),
  reach: Reach.exactOptional(),
  cut: z.string().exactOptional(),
  widened: z.string().exactOptional(),
  histogram: Histogram.exactOptional(),
  permanent: z.string().meta({ description: 'Parameters of this search with its range made absolute' }),
  next: z.string().exactOptional(),
})
