import type { Moments } from '../chart/moments.ts'
import { dataWords, found, rangeWords, subject, utc } from '../evidence/words.ts'
import { runText } from '../incident/runs.ts'
import { STATE_WORDS } from '../incident/verdict-words.ts'
import { isCounted } from '../incident/votes.ts'
import type { Evidence } from '../model/evidence.ts'
import type { VerdictState } from '../model/verdict.ts'
import { capital } from '../text/capital.ts'
import type { Context } from './context.ts'
import { findEvidence } from './evidence.ts'
import { signatureView } from './signature.ts'
import type { SignatureView } from './views.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/** What the picture beside a pasted link says. */
export interface LinkPicture {
  /** What kind of answer it is. */
  readonly kind: string
  readonly title: string
  readonly state?: { readonly is: VerdictState; readonly word: string }
  /** The answer, in words. */
  readonly answer: string
  readonly strip: Moments
  /** What the strip shows. */
  readonly foot: string
}

/** How it stands, drawn to the end of the day: what did not change today is the same picture all day. Throws NOT_FOUND. */
export async function signaturePicture(ctx: Context, id: string): Promise<LinkPicture> {
  const view = await signatureView(ctx, id)
  const { signature, verdict, sentences, incidents, changes, completeTo } = view
  const window = wholeDays(view)
  return {
    kind: 'Known failure',
    title: signature.title,
    state: { is: verdict.state, word: STATE_WORDS[verdict.state] },
    answer: sentences.join(' '),
    strip: {
      window,
      moments: incidents.map(({ at, runs, votes }) => ({ at, weight: runs.length, counted: isCounted({ votes }) })),
      changes: changes.map(({ at }) => ({ at })),
      completeTo,
    },
    foot: `each tick an incident, taller with the runs hit${changes.length > 0 ? '; dashed: a change' : ''}`,
  }
}

/** The window of a signature's page, to the end of its last day. */
export function wholeDays({ window }: Pick<SignatureView, 'window'>): SignatureView['window'] {
  return { from: window.from, to: Math.ceil(window.to / DAY) * DAY }
}

/** What was frozen, and nothing of today: it is the same picture in years. Throws NOT_FOUND. */
export async function evidencePicture(ctx: Pick<Context, 'store'>, id: string): Promise<LinkPicture> {
  return pictureOf(await findEvidence(ctx, id))
}

function pictureOf(evidence: Evidence): LinkPicture {
  const { content, frozenAt } = evidence
  const isSearch = content.asked.kind === 'search'
  const moments = isSearch ? runMoments(evidence) : lineMoments(evidence)
  const left = content.counts.lines - content.lines.length
  return {
    kind: `Evidence, frozen ${utc(frozenAt)}`,
    title: subject(evidence),
    answer: `${capital(found(evidence))}. ${capital(rangeWords(evidence))}; data ${dataWords(evidence)}.`,
    strip: { window: windowOf(evidence, moments), moments, changes: [] },
    foot: `each tick ${isSearch ? 'a run that matches' : 'a run hit'}${left > 0 ? `; of the newest ${content.lines.length} lines` : ''}`,
  }
}

function runMoments({ content }: Evidence): Moments['moments'] {
  return content.runs.map(({ time }) => ({ at: time, weight: 1, counted: true }))
}

/** When a run was hit first, as far as that is known; else when it was. */
function lineMoments({ content }: Evidence): Moments['moments'] {
  return content.runs.map((run) => {
    const placed = content.lines.filter((line) => runText(line) === runText(run)).flatMap((line) => line.placed ?? [])
    const at = placed.length > 0 ? Math.min(...placed.map(({ earliest, latest }) => (earliest + latest) / 2)) : run.time
    return { at, weight: 1, counted: true }
  })
}

/** The range that was asked of, wide enough for what it holds and to be drawn at all. */
function windowOf({ range }: Evidence, moments: Moments['moments']): Moments['window'] {
  const times = moments.map(({ at }) => at)
  const first = Math.min(range.from > 0 ? range.from : range.to, ...times)
  const last = Math.max(...times, first)
  // A range may reach into a future that nobody knows.
  const to = Math.max(last, Math.min(range.to, last + 30 * DAY))
  const margin = Math.max(0, (HOUR - (to - first)) / 2)
  return { from: first - margin, to: to + margin }
}
