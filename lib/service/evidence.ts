import { loadTrackers } from '../deployment/deployments.ts'
import { runLinks } from '../deployment/links.ts'
import { createLink } from '../deployment/trackers.ts'
import { ProwlError } from '../errors.ts'
import { bugText } from '../evidence/bug-text.ts'
import { headline } from '../evidence/words.ts'
import { runText } from '../incident/runs.ts'
import { EVIDENCE_ID, type Evidence } from '../model/evidence.ts'
import { formatQuery, parseQuery } from '../search/query.ts'
import type { StoredRun } from '../store/store.ts'
import type { Context } from './context.ts'
import { evidenceNow } from './evidence-now.ts'
import type { EvidenceRunView, EvidenceView } from './evidence-view.ts'
import { knownSignatures, storedRuns } from './known.ts'

export interface EvidenceOptions {
  /** Address of the site, for links that leave it: `https://prowl.example.org`. */
  readonly origin: string
  readonly signal?: AbortSignal | undefined
}

/** What was frozen, and what is found today. Throws NOT_FOUND. */
export async function evidenceView(ctx: Context, id: string, options: EvidenceOptions): Promise<EvidenceView> {
  const evidence = await findEvidence(ctx, id)
  const stored = await storedRuns(ctx, evidence.content.runs)
  const [known, now] = await Promise.all([
    knownSignatures(ctx, evidence.content.lines, stored),
    evidenceNow(ctx, evidence, stored, options.signal),
  ])
  const link = evidenceLink(evidence.id, ctx.config.publicUrl ?? options.origin)
  const textOf = (format: Parameters<typeof bugText>[1]['format']) => bugText(evidence, { format, link })
  return {
    evidence,
    headline: headline(evidence),
    source: sourceOf(evidence),
    now,
    runs: evidence.content.runs.map((run) => runOf(evidence, run, stored)),
    known: known.map(({ signature: { id: of, title, bugs }, lines }) => ({ id: of, title, bugs, lines })),
    trackers: loadTrackers(ctx.config.deploymentsFile).map((tracker) => ({
      name: tracker.name,
      link: createLink(tracker, evidence, link),
    })),
    texts: { markdown: textOf('markdown'), jira: textOf('jira'), plain: textOf('plain') },
  }
}

/** By its id, in any case. Throws NOT_FOUND. */
export async function findEvidence({ store }: Pick<Context, 'store'>, id: string): Promise<Evidence> {
  const name = id.toLowerCase()
  const evidence = EVIDENCE_ID.test(name) ? await store.evidence(name) : undefined
  if (!evidence) throw new ProwlError('NOT_FOUND', 'no evidence has this id: check the link for a missing character')
  return evidence
}

export function evidenceLink(id: string, origin: string): string {
  return `${origin.replace(/\/+$/, '')}/e/${id}`
}

function sourceOf({ content: { asked }, range }: Evidence): string {
  if (asked.kind === 'signature') return `/signatures/${encodeURIComponent(asked.signature)}`
  if (asked.kind === 'incident') return `/incidents/${encodeURIComponent(asked.incident)}`
  const { query } = parseQuery(new URLSearchParams(asked.search))
  return `/search?${formatQuery({ ...query, range: { from: range.from, to: range.to } })}`
}

function runOf(
  { content }: Evidence,
  run: EvidenceView['runs'][number]['run'],
  stored: ReadonlyMap<string, StoredRun>,
): EvidenceRunView {
  const key = runText(run)
  const now = stored.get(key)
  return {
    run,
    lines: content.lines
      .filter((line) => runText(line) === key)
      .map((line) => ({ line, links: runLinks(run, { log: line.log, line: line.line }) })),
    text: now === undefined ? 'unknown' : now.expired ? 'expired' : 'kept',
  }
}
