import { z } from 'zod'
import type { SearchCounts } from '../../service/search-stream.ts'
import type { TallyView } from '../../service/tally.ts'
import { EngineLack, matched, Partial, Query, Reach, Searched } from './search.ts'
import { Count, shape, Time } from './shape.ts'
import { Window } from './signature.ts'

const runs = { runs: Count, failedRuns: Count }

export const CountsAnswer = shape<SearchCounts>()({
  ...matched,
  lines: Count,
  linesOf: z.array(Count).meta({ description: 'By pattern' }),
  byJob: z.array(shape<SearchCounts['byJob'][number]>()({ job: z.string(), ...runs, lines: Count })),
  range: Window,
  searched: Searched,
  partial: Partial,
  completeTo: Time.exactOptional().meta({ description: 'All runs that started before are in' }),
  reach: Reach,
})

export const TallyAnswer = shape<TallyView>()({
  query: Query,
  range: Window,
  by: z.enum(['line', 'run']),
  values: z.array(shape<TallyView['values'][number]>()({ value: z.string(), lines: Count, runs: Count })),
  others: shape<TallyView['others']>()({ values: Count, lines: Count, untold: Count }),
  lines: Count,
  runs: Count,
  spread: shape<NonNullable<TallyView['spread']>>()({
    unit: z.enum(['number', 'ms']),
    least: z.number(),
    median: z.number(),
    p90: z.number(),
    most: z.number(),
  }).exactOptional(),
  countedFrom: Time.exactOptional().meta({ description: 'Only runs from then on were tallied' }),
  searched: Searched,
  partial: z.array(EngineLack),
  reach: Reach,
  permanent: z.string(),
})
