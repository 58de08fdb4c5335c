import { group, min } from 'd3-array'
import { date } from '../incident/figures.ts'
import type { Signature, SignatureStatus } from '../model/signature.ts'

/** Signatures muted for one reason until one day. */
export interface Mute<T> {
  /** `muted until 1 Dec: vendor working on it (2)` */
  readonly words: string
  readonly rows: readonly T[]
}

/** A mute that has run out is none. `now` is epoch ms. */
export function isMuted({ status }: Pick<Signature, 'status'>, now: number): boolean {
  return status.state === 'muted' && untilOf(status) > now
}

/** Muted rows by reason and day, those that end first at the top, those without an end last. */
export function mutesOf<T extends { readonly signature: Pick<Signature, 'status'> }>(
  rows: readonly T[],
  now: number,
): Mute<T>[] {
  return [...group(rows, ({ signature }) => muteWords(signature.status, now))]
    .map(([words, members]) => ({
      words: `${words} (${members.length})`,
      rows: members,
      until: min(members, ({ signature }) => untilOf(signature.status)) ?? 0,
    }))
    .sort((a, b) => (a.until === b.until ? 0 : a.until - b.until))
    .map(({ words, rows: members }) => ({ words, rows: members }))
}

/** `muted until 1 Dec: vendor working on it`; of one that has run out `mute ended 1 Dec: …`; undefined where there was none. */
export function muteNote({ status }: Pick<Signature, 'status'>, now: number): string | undefined {
  return status.state === 'muted' ? muteWords(status, now) : undefined
}

function muteWords(status: SignatureStatus, now: number): string {
  const { until, reason } = status
  const when = until === undefined ? 'muted' : `${until > now ? 'muted until' : 'mute ended'} ${date(until, now)}`
  return reason === undefined ? when : `${when}: ${reason}`
}

function untilOf({ until = Number.POSITIVE_INFINITY }: SignatureStatus): number {
  return until
}
