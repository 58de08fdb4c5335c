import { thawed } from '../evidence/content.ts'
import { runText } from '../incident/runs.ts'
import type { Evidence, FrozenSignature } from '../model/evidence.ts'
import type { Run } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { affectedBy } from '../signature/affected.ts'
import { definitionsOf } from '../signature/definitions.ts'
import type { StoredRun } from '../store/store.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Context } from './context.ts'
import type { EvidenceNow, NowColumn, NowCounts } from './evidence-view.ts'
import { countsOf } from './freeze-drafts.ts'
import { SEARCH_LIMITS } from './search-limits.ts'

const { ms: DEADLINE_MS } = SEARCH_LIMITS.compare

/** Stored hits are those of the rules that the worker last looked for; frozen rules that are others are looked for now. */
export async function signatureNow(
  ctx: Context,
  evidence: Evidence,
  signal: AbortSignal | undefined,
): Promise<Omit<EvidenceNow, 'at'>> {
  const { asked, definitions } = evidence.content
  const [frozen] = definitions
  if (asked.kind === 'search' || !frozen) return { columns: [], notes: [] }
  const { signatures } = await ctx.catalogue()
  const current =
    signatures.find(({ id }) => id === frozen.id) ?? signatures.find(({ replaces }) => replaces.includes(frozen.id))
  const isEdited = current !== undefined && current.definition !== frozen.definition
  const noted = (await definitionsOf(ctx.store))?.[current?.id ?? frozen.id]?.definition
  const isStoredFrozen = (noted ?? current?.definition) === frozen.definition
  const today = current && (await storedColumn(ctx, evidence, current))
  const old =
    today && isStoredFrozen ? today : await frozenColumn(ctx, evidence, [frozen, ...definitions.slice(1)], signal)
  const differs = isEdited && !isStoredFrozen
  return {
    columns: [{ ...old, rules: 'frozen' }, ...(today && differs ? [{ ...today, rules: 'today' as const }] : [])],
    ...(current && (await sinceOf(ctx, evidence, current))),
    notes: [
      ...(current ? [] : ['The signature is in the catalogue no longer: it is looked for as it was then.']),
      ...(differs ? ['Its rules were edited since: both are shown.'] : []),
      ...(isEdited && isStoredFrozen ? ['Its rules were edited; the worker has not looked for the new ones yet.'] : []),
    ],
  }
}

/** Hits and incidents of a signature as they are stored. */
async function storedColumn(ctx: Context, { content, range }: Evidence, { id }: Signature): Promise<NowColumn> {
  const { asked } = content
  if (asked.kind === 'incident') {
    const [incident] = await ctx.store.incidents({ id: asked.incident })
    if (!incident) return { incidents: 0, runs: 0, failedRuns: 0 }
    const { runs, failedRuns } = countsOf([incident])
    return { incidents: 1, runs, failedRuns }
  }
  const [incidents, [counted]] = await Promise.all([
    ctx.store.incidents({ signature: id, ...range }),
    ctx.store.countHits({ signature: id, from: range.from, to: range.to }),
  ])
  const { runs, failedRuns } = countsOf(incidents)
  return { incidents: incidents.length, lines: counted?.hits ?? 0, runs, failedRuns }
}

/**
 * What the rules as they were find in the text that is kept. A run whose text is gone counts where they hit it; one that is
 * not there any more, or was not reached in time, by its frozen lines.
 */
async function frozenColumn(
  ctx: Context,
  { content, range }: Evidence,
  definitions: readonly FrozenSignature[],
  signal: AbortSignal | undefined,
): Promise<NowColumn> {
  const [frozen] = definitions
  if (!frozen) return { runs: 0 }
  const signatures = await catalogueThen(ctx, definitions)
  const isIncident = content.asked.kind === 'incident'
  const own = new Set(content.runs.map(runText))
  const times = content.runs.map(({ time }) => time)
  const [from, to] = isIncident ? [Math.min(...times), Math.max(...times) + 1] : [range.from, range.to]
  const isAsked = (run: Run) => run.time >= from && run.time < to && (!isIncident || own.has(runText(run)))
  const hitThen = ({ run, hits }: StoredRun) =>
    own.has(runText(run)) || hits.some((hit) => hit.signature === frozen.id && hit.definition === frozen.definition)
  const counts = { lines: 0, runs: 0, failedRuns: 0 }
  const seen = new Set<string>()
  const passed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, passed.signal]) : passed.signal
  const whole = await ctx.searcher
    .evaluate(
      affectedBy(new Set([frozen.id]), { signatures, problems: [] }),
      (each, { state, hits }) => {
        if (each.run.time < from) return passed.abort()
        if (!isAsked(each.run)) return
        seen.add(runText(each.run))
        const found = state === 'done' ? hits.filter((hit) => hit.signature === frozen.id).length : 0
        if (found === 0 && (state === 'done' || !hitThen(each))) return
        counts.lines += Math.max(1, found)
        counts.runs++
        if (isFailed(each.run.result)) counts.failedRuns++
      },
      { deadlineMs: DEADLINE_MS, signal: stop, after: { time: to, bucket: '', path: '' } },
    )
    .catch((error: unknown) => {
      signal?.throwIfAborted()
      if (passed.signal.aborted) return true
      throw error
    })
  const left = content.runs.filter((run) => !seen.has(runText(run)))
  return {
    lines: counts.lines + content.lines.filter((line) => !seen.has(runText(line))).length,
    runs: counts.runs + left.length,
    failedRuns: counts.failedRuns + left.filter(({ result }) => isFailed(result)).length,
    ...(!whole && { partial: true as const }),
  }
}

/** Today's catalogue with these as they were. */
async function catalogueThen(ctx: Context, definitions: readonly FrozenSignature[]): Promise<Signature[]> {
  const { signatures } = await ctx.catalogue()
  const frozen = new Map(definitions.map((definition) => [definition.id, thawed(definition)]))
  const others = signatures.filter(({ id, part }) => !frozen.has(id) && !frozen.has(part?.of ?? ''))
  return [...frozen.values(), ...others]
}

async function sinceOf(ctx: Context, { range, content }: Evidence, { id }: Signature): Promise<{ since?: NowCounts }> {
  if (ctx.now() < range.to) return {}
  const incidents = await ctx.store.incidents({ signature: id, from: range.to })
  const later = content.asked.kind === 'incident' ? incidents.filter((each) => !isSame(content.asked, each)) : incidents
  const { runs, failedRuns } = countsOf(later)
  return { since: { incidents: later.length, runs, failedRuns } }
}

function isSame(
  asked: Evidence['content']['asked'],
  { id, aliases }: { readonly id: string; readonly aliases: readonly string[] },
): boolean {
  return asked.kind === 'incident' && (asked.incident === id || aliases.includes(asked.incident))
}
