import { z } from 'zod'
import type { Searched as SearchedModel } from '../../search/tally.ts'
import { Count, shape } from './shape.ts'

export const EngineLack = z.enum(['limit', 'deadline', 'bytes', 'expired', 'damaged'])

export const Searched = shape<SearchedModel>()({
  logs: Count,
  blocks: Count,
  pruned: Count,
  bytes: Count,
  ms: z.number(),
  leftOut: Count,
})
