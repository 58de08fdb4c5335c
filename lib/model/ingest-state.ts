import { z } from 'zod'

/** Before a bucket's name: the state by which the next pass looks at what came since. Without it, it looks at all. */
export const CURSOR_KEY = 'ingest-cursor:'

/** What reading a bucket took, in cumulative counts. */
export const Traffic = z.object({
  /** HTTP requests sent: listings, metadata and objects, retries included. */
  requests: z.number(),
  /** Requests that were sent again after a fault, and transfers taken up again where they broke. */
  retries: z.number(),
  /** Answers of 429 or 503. */
  throttled: z.number(),
  /** Requests and transfers given up after bounded retries. */
  failed: z.number(),
  /** Of objects, as stored: compressed where they are. */
  bytes: z.number(),
})
export type Traffic = z.infer<typeof Traffic>

/**
 * What the worker tells of its passes over one bucket: a store state under the key `ingest:<bucket>`, with the bucket
 * listed under `ingest` (lib/service/passes.ts writes and reads both). Times are epoch ms.
 */
export const IngestState = z.object({
  bucket: z.string(),
  passStartedAt: z.number(),
  /** The worker that reads, as `host 4711`: of several, the one that leads. */
  worker: z.string().optional(),
  /** Absent while the first pass runs; of the last whole pass afterwards. */
  passFinishedAt: z.number().optional(),
  /** Runs that started before this moment are in (95 % of them). */
  completeTo: z.number().optional(),
  /** Runs done of the runs that this pass found. */
  done: z.number(),
  total: z.number(),
  /** The worker follows the bucket and starts a pass this often; absent: it ran once. */
  followEverySeconds: z.number().optional(),
  /** How this pass found its runs, kind by kind: since when each covers the bucket, or why it failed. */
  discovery: z
    .array(
      z.object({
        kind: z.string(),
        runs: z.number(),
        from: z.number().optional(),
        error: z.string().optional(),
        /** What was told of and passed over, by reason. */
        skipped: z.record(z.string(), z.number()).optional(),
      }),
    )
    .optional(),
  /** By kind of discovery, as of the last pass: what began before this moment is found. */
  cursors: z.record(z.string(), z.number()).optional(),
  /** Runs that could not be read and are tried again, and those no longer tried. */
  retrying: z.number().optional(),
  givenUp: z.number().optional(),
  traffic: Traffic.optional(),
  /** Why the last pass ended early, in one line. */
  error: z.string().optional(),
})

export type IngestState = z.infer<typeof IngestState>

/** How far the reading of a past period has come: a store state under `ingest-backfill:<bucket>`. Times are epoch ms. */
export const BackfillState = z.object({
  bucket: z.string(),
  from: z.number(),
  to: z.number(),
  startedAt: z.number(),
  /** Runs done of the runs found. */
  done: z.number(),
  total: z.number(),
  /** When all of it was read; absent while it runs, or if it was stopped: asked for again it goes on. */
  finishedAt: z.number().optional(),
})

export type BackfillState = z.infer<typeof BackfillState>

/** How far signatures that were edited have been looked for anew: a store state under `reevaluation`. Times are epoch ms. */
export const ReevaluationState = z.object({
  /** Those that were edited, with their definitions: another edit starts anew. */
  changed: z.record(z.string(), z.string()),
  startedAt: z.number(),
  /** Runs done of those stored. */
  done: z.number(),
  total: z.number(),
  /** The last run that was done, in the total order. */
  after: z.object({ time: z.number(), bucket: z.string(), path: z.string() }).optional(),
  /** Of the oldest run whose text is kept, as far as was seen. */
  oldestText: z.number().optional(),
  /** A run was met whose text is kept no longer. */
  expired: z.boolean(),
  finishedAt: z.number().optional(),
})

export type ReevaluationState = z.infer<typeof ReevaluationState>
