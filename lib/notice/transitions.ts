import { sinceSentences } from '../incident/verdict-words.ts'
import { cadenceSentences } from '../incident/words.ts'
import type { Cadence } from '../model/incident.ts'
import type { Notice, NoticeKind, Standing } from '../model/notice.ts'
import type { Signature } from '../model/signature.ts'
import type { Verdict } from '../model/verdict.ts'

export interface Stands {
  readonly signature: Pick<Signature, 'id' | 'title'>
  readonly cadence: Cadence
  readonly verdict: Verdict
  /** Its news is nobody's: it is noted only. */
  readonly muted: boolean
}

type Kind = Exclude<NoticeKind, 'group'>

const WORDS: Readonly<Record<Kind, string>> = {
  again: 'seen again, the first since the change',
  back: 'back, as often as before the change',
}

/**
 * How a signature stands now, and the notice that this is worth after how it stood `before`: one at most. What is looked
 * at for the first time is noted in silence, and so is a change that was written down after what followed it was known.
 */
export function transition(
  before: Standing | undefined,
  stands: Stands,
  now: number,
): { readonly standing: Standing; readonly notice?: Notice } {
  const { signature, cadence, verdict, muted } = stands
  const kind = kindOf(before, cadence, verdict)
  const id = kind && noticeId(signature.id, cadence, kind)
  const told = before?.told ?? []
  const standing: Standing = {
    state: verdict.state,
    ...(cadence.group && { change: cadence.group.to }),
    since: cadence.since.length,
    ...(cadence.last !== undefined && { last: cadence.last }),
    told: id === undefined || told.includes(id) ? told : [...told, id],
  }
  if (kind === undefined || id === undefined || muted || covers(told, signature.id, cadence, kind)) return { standing }
  return { standing, notice: noticeOf(id, kind, stands, now) }
}

/** Quiet without a change is nobody's doing: that it ends is no news. */
function kindOf(before: Standing | undefined, cadence: Cadence, verdict: Verdict): Kind | undefined {
  const { group, since, last } = cadence
  if (!before || !group || since.length === 0 || verdict.withheld === 'nothing before') return undefined
  const isSame = before.change === group.to
  if (!isSame && (last ?? 0) <= (before.last ?? 0)) return undefined
  const was = isSame ? before : undefined
  if (verdict.state === 'back') return was?.state === 'back' ? undefined : 'back'
  return was && was.since > 0 ? undefined : 'again'
}

/** That it is back says that it was seen again, too. */
function covers(told: readonly string[], signature: string, cadence: Cadence, kind: Kind): boolean {
  return (kind === 'again' ? (['again', 'back'] as const) : [kind]).some((each) =>
    told.includes(noticeId(signature, cadence, each)),
  )
}

function noticeId(signature: string, { group }: Cadence, kind: Kind): string {
  return `${signature}/${new Date(group?.to ?? 0).toISOString()}/${kind}`
}

function noticeOf(id: string, kind: Kind, { signature, cadence, verdict }: Stands, now: number): Notice {
  return {
    id,
    at: now,
    kind,
    signature: signature.id,
    title: `${signature.title}: ${WORDS[kind]}`,
    sentence: [...sinceSentences(cadence, verdict, now), ...cadenceSentences(cadence, verdict, now).slice(0, 1)].join(
      ' ',
    ),
    link: `/signatures/${encodeURIComponent(signature.id)}`,
  }
}
