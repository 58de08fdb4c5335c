import { ProwlError } from '../errors.ts'
import { bugName } from '../evidence/bug-key.ts'
import { digestOf, idsOf } from '../evidence/identity.ts'
import { EVIDENCE_VERSION, type Evidence, type EvidenceContent } from '../model/evidence.ts'
import type { SearchQuery } from '../search/query.ts'
import type { Context } from './context.ts'
import { type Draft, incidentDraft, searchDraft, signatureDraft } from './freeze-drafts.ts'
import { ingestStates } from './passes.ts'
import { freshnessOf } from './status.ts'

const HOUR = 3_600_000

/** What a reader wants frozen: an answer that a page of its own shows. */
export type Freezable = { readonly query: SearchQuery } | { readonly signature: string } | { readonly incident: string }

export interface Frozen {
  readonly evidence: Evidence
  /** Nothing of this content was frozen before. */
  readonly isNew: boolean
}

/**
 * Keeps an answer for good, or finds it among those that are kept. Throws NOT_FOUND, QUERY_INVALID, REGEX_* and
 * SEARCH_DEADLINE as the pages tell them.
 */
export async function freeze(ctx: Context, what: Freezable, signal?: AbortSignal): Promise<Frozen> {
  if ('query' in what) return keep(ctx, await searchDraft(ctx, what.query, signal))
  if ('signature' in what) return keep(ctx, await signatureDraft(ctx, what.signature))
  return keep(ctx, await incidentDraft(ctx, what.incident))
}

async function keep(ctx: Context, { content, range, sentences, lacking, signatures }: Draft): Promise<Frozen> {
  const frozenAt = ctx.now()
  const before = await keptBefore(ctx, content, range)
  if (before) return { evidence: before, isNew: false }
  const bugs = signatures.flatMap((signature) => signature.bugs)
  const evidence = {
    version: EVIDENCE_VERSION as typeof EVIDENCE_VERSION,
    digest: digestOf(content, range),
    content,
    frozenAt,
    range,
    data: await dataOf(ctx, lacking),
    sentences: [...sentences],
    signatures: [...new Set(signatures.map(({ id }) => id))],
    bugs: [...new Set([...bugs, ...bugs.flatMap((bug) => bugName(bug) ?? [])])],
  }
  for (const id of idsOf(evidence.digest)) {
    const kept = await ctx.store.putEvidence({ ...evidence, id })
    if (kept.digest === evidence.digest) return { evidence: kept, isNew: kept.frozenAt === frozenAt }
  }
  throw new ProwlError('STORE_FAILED', 'no id is left for this evidence; report it')
}

/** What was frozen within the last hour is the same answer, though midnight lies between. */
async function keptBefore(ctx: Context, content: EvidenceContent, range: Evidence['range']) {
  if (!range.rolling) return undefined
  const digest = digestOf(content, { ...range, from: range.from - HOUR, to: range.to - HOUR })
  for (const id of idsOf(digest)) {
    const kept = await ctx.store.evidence(id)
    if (!kept) return undefined
    if (kept.digest === digest) return ctx.now() - kept.frozenAt < HOUR ? kept : undefined
  }
  return undefined
}

async function dataOf({ store, now }: Context, lacking: readonly string[]): Promise<Evidence['data']> {
  const [status, states] = await Promise.all([store.status(), ingestStates(store)])
  const { state, readTo, completeTo, runs, pending } = freshnessOf(status, states, now())
  return {
    ...{ state, runs, pending, truncatedLogs: status.truncatedLogs, brokenLogs: status.brokenLogs },
    ...(readTo !== undefined && { readTo }),
    ...(completeTo !== undefined && { completeTo }),
    lacking: [...lacking],
  }
}
