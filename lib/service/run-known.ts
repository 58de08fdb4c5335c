import { type LinkAnchor, runLinks } from '../deployment/links.ts'
import { runText } from '../incident/runs.ts'
import type { Gap } from '../model/gap.ts'
import type { Hit } from '../model/hit.ts'
import type { FailureLine, Run, RunType } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { isComplete } from '../signature/run-matcher.ts'
import type { StoredRun } from '../store/store.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import { gapsOf, reevaluationOf } from './passes.ts'
import { isOpenIn, momentWords } from './reach.ts'
import type { RunLinks } from './views.ts'

const DAY = 86_400_000
/** How far back others with the same line are counted. */
export const ALIKE_DAYS = 14

/** A known failure of a run, at its first line. */
export interface KnownFailure extends Pick<Signature, 'id' | 'title' | 'bugs' | 'advice'> {
  readonly hit: Pick<Hit, 'log' | 'line' | 'text' | 'cause'>
  readonly links: RunLinks
}

/**
 * Whether a run's failure is known. `not`: it failed of nothing known, its logs were read whole, and none of what might
 * be missing concerns it. `unsure`: nothing known was found, and that may be for what `unsure` says. `passed`, `ended`
 * (aborted or lost) and `pending` runs did not fail.
 */
export interface RunKnown {
  readonly run: Run
  readonly links: RunLinks
  readonly state: 'known' | 'not' | 'unsure' | 'passed' | 'ended' | 'pending'
  /** `known: Boskos lease lost`; `not known: probably yours` of a pull request's run */
  readonly words: string
  /** What it died of. */
  readonly died: readonly KnownFailure[]
  /** Known failures that struck it, and that did not end it. */
  readonly survived: readonly KnownFailure[]
  /** Why nothing known may have been found although there was something. */
  readonly unsure: readonly string[]
  /** The line that it failed with; `others`: failed runs of the last 14 days that have such a line, but for those told here. */
  readonly failure?: FailureLine & { readonly links: RunLinks; readonly others: number }
}

/** What judging any run needs. */
export interface Knowledge {
  readonly signatures: ReadonlyMap<string, Signature>
  /** Gaps of a bucket that are still open. */
  readonly gaps: ReadonlyMap<string, readonly Gap[]>
  /** Edited signatures are being looked for anew. */
  readonly reevaluating: boolean
}

/** What is known of each of these runs, in their order. */
export async function runsKnown(ctx: Context, runs: readonly StoredRun[]): Promise<RunKnown[]> {
  const knowledge = await knowledgeOf(ctx, runs)
  const known = runs.map((stored) => runKnown(stored, knowledge))
  const others = await othersAlike(ctx, known)
  return known.map((one) => {
    const { failure } = one
    return failure ? { ...one, failure: { ...failure, others: others.get(failure.group) ?? 0 } } : one
  })
}

async function knowledgeOf({ store, catalogue }: Context, runs: readonly StoredRun[]): Promise<Knowledge> {
  const buckets = [...new Set(runs.map(({ run }) => run.bucket))]
  const [{ signatures }, again, gaps] = await Promise.all([
    catalogue(),
    reevaluationOf(store),
    Promise.all(buckets.map(async (bucket) => [bucket, await gapsOf(store, bucket)] as const)),
  ])
  return {
    signatures: new Map(signatures.filter(({ part }) => !part).map((signature) => [signature.id, signature])),
    gaps: new Map(gaps),
    reevaluating: again !== undefined && again.finishedAt === undefined,
  }
}

/** A run dies of a failure unless each resource that was hit recovered from it (docs/statistics.md). */
export function runKnown(stored: StoredRun, knowledge: Knowledge): RunKnown {
  const { run, hits } = stored
  const failures = [...Map.groupBy(hits, ({ signature }) => signature)].flatMap(([id, own]) => {
    const signature = knowledge.signatures.get(id)
    const [first] = own
    return signature && first
      ? [{ failure: failureOf(run, signature, first), ended: own.some(({ recovered }) => !recovered) }]
      : []
  })
  const failed = isFailed(run.result)
  const died = failures.filter(({ ended }) => failed && ended).map(({ failure }) => failure)
  const unsure = failed && died.length === 0 ? doubtsOf(stored, knowledge) : []
  const state = stateOf(run, died, unsure)
  return {
    run,
    links: runLinks(run),
    state,
    words: wordsOf(run, { state, died, unsure }),
    died,
    survived: failures.map(({ failure }) => failure).filter((failure) => !died.includes(failure)),
    unsure,
    ...(run.failure &&
      died.length === 0 && { failure: { ...run.failure, links: runLinks(run, run.failure), others: 0 } }),
  }
}

function failureOf(run: Run, { id, title, bugs, advice }: Signature, { log, line, text, cause }: Hit): KnownFailure {
  const anchor: LinkAnchor = { log, line }
  return {
    id,
    title,
    bugs,
    ...(advice !== undefined && { advice }),
    hit: { log, line, text, cause },
    links: runLinks(run, anchor),
  }
}

function stateOf({ result }: Run, died: readonly KnownFailure[], unsure: readonly string[]): RunKnown['state'] {
  if (result === 'success') return 'passed'
  if (result === 'pending') return 'pending'
  if (!isFailed(result)) return 'ended'
  if (died.length > 0) return 'known'
  return unsure.length > 0 ? 'unsure' : 'not'
}

/** Who tested something that is not merged yet is told so. */
const OF_WHOM: Readonly<Record<RunType, string>> = {
  presubmit: 'probably yours',
  batch: 'probably of one of its pull requests',
  postsubmit: 'no signature matches it',
  periodic: 'no signature matches it',
}

function wordsOf({ result, type }: Run, { state, died, unsure }: Pick<RunKnown, 'state' | 'died' | 'unsure'>): string {
  const words: Readonly<Record<RunKnown['state'], string>> = {
    known: `known: ${died.map(({ title }) => title).join('; ')}`,
    not: `not known: ${OF_WHOM[type]}`,
    unsure: `nothing known was found, but ${unsure.join('; ')}`,
    passed: 'passed',
    ended: result === 'lost' ? 'lost: it never ended' : result,
    pending: 'not ended yet',
  }
  return words[state]
}

/** Why a failed run in which nothing known was found may hold something known all the same. */
function doubtsOf({ run, logs, expired }: StoredRun, { gaps, reevaluating }: Knowledge): string[] {
  const began = run.startedAt ?? run.time
  const span = { from: began, to: Math.max(began, run.finishedAt ?? run.time) + 1 }
  const gap = gaps.get(run.bucket)?.find((each) => isOpenIn(each, span))
  const doubts: readonly (readonly [boolean, string])[] = [
    [logs.length === 0, 'it left no log'],
    [!isComplete(run, logs), 'not all of its logs was read'],
    [expired, 'the text of its logs is kept no longer, so that newer signatures were not looked for'],
    [gap !== undefined, `the worker missed runs from ${momentWords(gap?.from ?? 0)} to ${momentWords(gap?.to ?? 0)}`],
    [reevaluating, 'signatures that were edited are being looked for just now'],
  ]
  return doubts.flatMap(([holds, words]) => (holds ? [words] : []))
}

/** By group of the failure line, failed runs of the last days but for these. */
async function othersAlike({ store, now }: Context, known: readonly RunKnown[]): Promise<Map<string, number>> {
  const from = now() - ALIKE_DAYS * DAY
  const own = new Map<string, Set<string>>()
  for (const { failure, run } of known) {
    if (!failure) continue
    const runs = own.get(failure.group) ?? new Set()
    own.set(failure.group, run.time >= from ? runs.add(runText(run)) : runs)
  }
  if (own.size === 0) return new Map()
  const counts = await store.failures({ failures: [...own.keys()], from, results: ['failure', 'error'] })
  const all = new Map<string, number>()
  for (const { group, runs } of counts) all.set(group, (all.get(group) ?? 0) + runs)
  return new Map([...all].map(([group, runs]) => [group, Math.max(0, runs - (own.get(group)?.size ?? 0))]))
}
