import { isProwlError } from '../errors.ts'
import { utc } from '../evidence/words.ts'
import { runText } from '../incident/runs.ts'
import type { Evidence, EvidenceRun } from '../model/evidence.ts'
import type { CountAnswer } from '../search/engine.ts'
import { parseQuery } from '../search/query.ts'
import type { StoredRun } from '../store/store.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import { signatureNow } from './evidence-signature.ts'
import type { EvidenceNow, NowCounts } from './evidence-view.ts'
import { SEARCH_LIMITS } from './search-limits.ts'

const { ms: DEADLINE_MS, maxBytes } = SEARCH_LIMITS.compare
type Stored = ReadonlyMap<string, StoredRun>

/** The frozen question, asked again of what is stored now. What can't be asked any more is told in its notes. */
export async function evidenceNow(
  ctx: Context,
  evidence: Evidence,
  stored: Stored,
  signal: AbortSignal | undefined,
): Promise<EvidenceNow> {
  const at = ctx.now()
  const textNotes = expiryNotes(evidence, stored)
  const found =
    evidence.content.asked.kind === 'search'
      ? await searchNow(ctx, evidence, stored, signal)
      : await signatureNow(ctx, evidence, signal)
  return { at, ...found, notes: [...found.notes, ...textNotes] }
}

function expiryNotes({ content: { runs } }: Evidence, stored: Stored): string[] {
  const unknown = runs.filter((run) => !stored.has(runText(run))).length
  const expired = runs.filter((run) => stored.get(runText(run))?.expired).length
  const of = `of the ${runs.length} runs shown here`
  return [
    ...(expired > 0 ? [`Logs of ${expired} ${of} have expired; their lines are kept here.`] : []),
    ...(unknown > 0 ? [`Nothing is known any more of ${unknown} ${of}; their lines are kept here.`] : []),
  ]
}

type Found = Omit<EvidenceNow, 'at'>

/** Text that is kept is searched; of a run whose text is gone, or that was not reached in time, the frozen lines count. */
async function searchNow(
  ctx: Context,
  { content, range }: Evidence,
  stored: Stored,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { asked } = content
  if (asked.kind !== 'search') return { columns: [], notes: [] }
  const { query } = parseQuery(new URLSearchParams(asked.search))
  const count = (from: number, to: number) =>
    ctx.searcher.count(
      { ...query, range: { from, to } },
      { deadlineMs: DEADLINE_MS, maxBytes, now: ctx.now(), ...(signal && { signal }) },
    )
  try {
    const end = Math.max(range.to, ctx.now() + 1)
    const [same, later] = await Promise.all([
      count(range.from, range.to),
      end > range.to ? count(range.to, end) : undefined,
    ])
    const { countedFrom } = same
    const found = new Set(same.runs.map(runText))
    const kept = content.runs.filter((run) => {
      const isLookedAt = stored.get(runText(run))?.expired === false && run.time > (countedFrom ?? 0)
      return !isLookedAt && !found.has(runText(run))
    })
    const keys = new Set(kept.map(runText))
    const counts = countsNow(same, {
      runs: kept,
      lines: content.lines.filter((line) => keys.has(runText(line))).length,
    })
    const unseen = content.counts.runs - content.runs.length
    return {
      columns: [counts],
      ...(later && { since: countsNow(later, { runs: [], lines: 0 }) }),
      notes: [
        ...(countedFrom === undefined
          ? []
          : [`Time allowed to search again back to ${utc(countedFrom)}; of older runs the lines kept here count.`]),
        ...(unseen > 0 ? [`Lines of ${content.runs.length} of the ${content.counts.runs} runs were kept.`] : []),
      ],
    }
  } catch (error) {
    if (!isProwlError(error) || (error.status !== 400 && error.code !== 'SEARCH_DEADLINE')) throw error
    return { columns: [], notes: [`The query can't be asked today: ${error.message}.`] }
  }
}

function countsNow(
  { runs, partial }: Pick<CountAnswer, 'runs' | 'partial'>,
  kept: { readonly runs: readonly EvidenceRun[]; readonly lines: number },
): NowCounts {
  return {
    lines: runs.reduce((sum, { any }) => sum + any, 0) + kept.lines,
    runs: runs.length + kept.runs.length,
    failedRuns: [...runs, ...kept.runs].filter(({ result }) => isFailed(result)).length,
    ...(partial.length > 0 && { partial: true }),
  }
}
