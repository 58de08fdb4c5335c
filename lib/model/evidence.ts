import { z } from 'zod'
import { RUN_RESULTS, RUN_TYPES } from './run.ts'

/** Of what an evidence holds; a newer one is told by its number, and older ones are read for good. */
export const EVIDENCE_VERSION = 1
export const EVIDENCE_LINES = 200

/** Ids are the first characters of a hash in Crockford's base 32: ten, and more only where two contents share those. */
export const EVIDENCE_ID = /^[0-9a-hjkmnp-tv-z]{10,52}$/

const texts = z.array(z.string())
const RunPlace = { bucket: z.string(), path: z.string() }

/** What was asked; `search` holds parameters as lib/search/query.ts writes them, without a range. */
const Asked = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('search'), search: z.string() }),
  z.object({ kind: z.literal('signature'), signature: z.string(), title: z.string() }),
  z.object({ kind: z.literal('incident'), signature: z.string(), title: z.string(), incident: z.string() }),
])

/** In all, whether or not their lines are here. `partial`: time was over, there may be more. */
const Counts = z.object({
  lines: z.number(),
  runs: z.number(),
  failedRuns: z.number(),
  jobs: z.number(),
  pulls: z.number(),
  /** Absent for a search, which knows none. */
  incidents: z.number().exactOptional(),
  partial: z.literal(true).exactOptional(),
})

const Line = z.object({
  ...RunPlace,
  log: z.string(),
  /** 1-based. */
  line: z.number(),
  /** As it was matched: escape codes removed, capped. */
  text: z.string(),
  before: texts,
  after: texts,
  /** Where a search matched in `text`, UTF-16 units. */
  spans: z.array(z.object({ from: z.number(), to: z.number() })).exactOptional(),
  /** Title of the cause. */
  cause: z.string().exactOptional(),
  /** When it was written, within bounds. Epoch ms. */
  placed: z.object({ earliest: z.number(), latest: z.number(), source: z.string() }).exactOptional(),
})

const EvidenceRun = z.object({
  ...RunPlace,
  job: z.string(),
  buildId: z.string(),
  type: z.enum(RUN_TYPES),
  result: z.enum(RUN_RESULTS),
  /** Epoch ms. */
  time: z.number(),
  cluster: z.string().exactOptional(),
  refs: z
    .object({
      org: z.string(),
      repo: z.string(),
      baseRef: z.string().exactOptional(),
      pulls: z.array(z.object({ number: z.number(), sha: z.string().exactOptional() })),
    })
    .exactOptional(),
})

/** A signature's rules as they were, in the words of its file. */
const FrozenSignature = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['outage', 'per-run']),
  regexes: texts,
  excludes: texts,
  excludeJobs: texts,
  logs: texts,
  causes: z.array(z.object({ id: z.string(), title: z.string(), regex: z.string() })),
  part: z.object({ of: z.string(), causes: texts }).exactOptional(),
  yieldsTo: texts,
  witness: z.string().exactOptional(),
  clock: z.object({ start: z.string(), everySeconds: z.number() }).exactOptional(),
  windowMs: z.number(),
  maxSpanMs: z.number(),
  bugs: texts,
  changes: z.array(
    z.object({
      at: z.number(),
      title: z.string(),
      link: z.string().exactOptional(),
      datedByLink: z.literal(true).exactOptional(),
      scope: z
        .object({
          branches: texts.readonly().exactOptional(),
          jobs: texts.readonly().exactOptional(),
          clusters: texts.readonly().exactOptional(),
        })
        .exactOptional(),
    }),
  ),
  definition: z.string(),
})

/** What makes an evidence that one and no other: the same content has the same id. */
const Content = z.object({
  asked: Asked,
  counts: Counts,
  /** The newest first; of an incident, as they struck. */
  lines: z.array(Line),
  /** Those of the lines, each once. */
  runs: z.array(EvidenceRun),
  /** The signature; of a part, its parent after it. */
  definitions: z.array(FrozenSignature),
})

/** A frozen answer. Times are epoch ms. */
export const Evidence = z.object({
  version: z.literal(EVIDENCE_VERSION),
  id: z.string().regex(EVIDENCE_ID),
  /** Hash of the content and of what range it is about, hex. */
  digest: z.string(),
  content: Content,
  frozenAt: z.number(),
  /** Asked of, `to` exclusive. `rolling`: it ended at the freezing, as the last so many days do; its days are its identity. */
  range: z.object({ from: z.number(), to: z.number(), rolling: z.boolean() }),
  /** How complete the data was. */
  data: z.object({
    state: z.string(),
    readTo: z.number().exactOptional(),
    completeTo: z.number().exactOptional(),
    runs: z.number(),
    pending: z.number(),
    truncatedLogs: z.number(),
    brokenLogs: z.number(),
    /** Why lines may be missing, in words. */
    lacking: texts,
  }),
  /** Sentences that the signature's page said. */
  sentences: texts,
  /** Ids and bugs (addresses and keys) under which it is listed. */
  signatures: texts,
  bugs: texts,
})

export type Evidence = z.infer<typeof Evidence>
export type EvidenceContent = Evidence['content']
export type EvidenceLine = z.infer<typeof Line>
export type EvidenceRun = z.infer<typeof EvidenceRun>
export type FrozenSignature = z.infer<typeof FrozenSignature>
