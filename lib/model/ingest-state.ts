import { z } from 'zod'

/**
 * What the worker tells of its passes over one bucket: a store state under the key `ingest:<bucket>`, with the bucket
 * listed under `ingest` (lib/service/passes.ts writes and reads both). Times are epoch ms.
 */
export const IngestState = z.object({
  bucket: z.string(),
  passStartedAt: z.number(),
  /** Absent while the first pass runs; of the last whole pass afterwards. */
  passFinishedAt: z.number().optional(),
  /** Runs that started before this moment are in (95 % of them). */
  completeTo: z.number().optional(),
  /** Runs done of the runs that this pass found. */
  done: z.number(),
  total: z.number(),
  /** The worker follows the bucket and starts a pass this often; absent: it ran once. */
  followEverySeconds: z.number().optional(),
  /** Why the last pass ended early, in one line. */
  error: z.string().optional(),
})

export type IngestState = z.infer<typeof IngestState>
