import { z } from 'zod'

/**
 * A time in which runs of a bucket may be missing, or were until a later pass made up for it: what was not watched is
 * not quiet. Times are epoch ms.
 */
export const Gap = z.object({
  from: z.number(),
  to: z.number(),
  /** `down`: no pass ended; `discovery`: passes ended, but a part of the bucket could not be searched for runs. */
  why: z.enum(['down', 'discovery']),
  /** In one line. */
  detail: z.string(),
  /** When a later pass had made up for it; absent: runs may still be missing. */
  filledAt: z.number().optional(),
})

export type Gap = z.infer<typeof Gap>
