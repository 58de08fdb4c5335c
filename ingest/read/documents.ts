import { z } from 'zod'
import { shownText } from '#lib/text/printable.ts'

/** Of one word or sentence, UTF-16 units: they are shown beside runs by the hundred. */
const MAX_TEXT = 4_096
/** Of one list. */
const MAX_ITEMS = 1_000

/**
 * The JSON objects of a run as they really are: fields missing, null, of another type or case are left out, never an
 * error (shapes: DOMAIN pages of kubernetes-sigs/prow and GoogleCloudPlatform/testgrid `metadata/job.go`).
 */
export const text = z
  .string()
  .min(1)
  .transform((all) => shownText(all.slice(0, MAX_TEXT)))
  .optional()
  .catch(undefined)
const number = z.coerce.number().int().nonnegative().optional().catch(undefined)

/** Epoch seconds, or ms, as a number or its text, or RFC 3339: epoch ms, within 2010–2100. */
export const time = z
  .union([z.number(), z.string().min(1)])
  .transform(toEpochMs)
  .optional()
  .catch(undefined)

const Pull = z.object({ number: z.coerce.number().int().positive(), author: text, sha: text })

/** Items of another shape are left out. */
function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(item.nullable().catch(null))
    .transform((items) => items.filter((entry) => entry !== null).slice(0, MAX_ITEMS))
    .default([])
    .catch([])
}

export const Refs = z
  .object({ org: text, repo: text, base_ref: text, base_sha: text, pulls: listOf(Pull) })
  .optional()
  .catch(undefined)

export const Started = z.object({
  timestamp: time,
  pull: z.coerce.string().optional().catch(undefined),
  repos: z.record(z.string(), z.string()).default({}).catch({}),
})

export const Finished = z.object({
  timestamp: time,
  passed: z.boolean().optional().catch(undefined),
  result: text,
})

export const ProwJob = z.object({
  spec: z
    .object({ type: text, cluster: text, refs: Refs })
    .default({ type: undefined, cluster: undefined, refs: undefined })
    .catch({ type: undefined, cluster: undefined, refs: undefined }),
  status: z
    .object({ state: text, startTime: time, completionTime: time, description: text })
    .optional()
    .catch(undefined),
})

export const CloneRecords = listOf(z.object({ refs: Refs, failed: z.boolean().optional().catch(undefined) }))

const ContainerStatus = z.object({
  name: text,
  state: z
    .record(z.string(), z.object({ reason: text, message: text, exitCode: number }).nullable().catch(null))
    .default({})
    .catch({}),
})

export const PodInfo = z.object({
  pod: z
    .object({
      status: z
        .object({
          phase: text,
          reason: text,
          message: text,
          initContainerStatuses: listOf(ContainerStatus),
          containerStatuses: listOf(ContainerStatus),
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  events: listOf(
    z.object({
      type: text,
      reason: text,
      message: text,
      count: number,
      firstTimestamp: time,
      lastTimestamp: time,
      eventTime: time,
    }),
  ),
})

const EARLIEST = Date.UTC(2010, 0)
const LATEST = Date.UTC(2100, 0)

function toEpochMs(value: string | number): number | undefined {
  const number = typeof value === 'number' ? value : /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
  const ms = number === undefined ? Date.parse(String(value)) : number > 1e11 ? number : number * 1000
  return ms >= EARLIEST && ms < LATEST ? Math.round(ms) : undefined
}
