import type { Track } from '../model/hit.ts'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'

/**
 * When an incident ended, by its runs' tracks: a hit is the first of its cause and run, and the beats that failed after
 * it, each within the signature's window of the one before, belong to the same outage. Without tracks its hits' bounds.
 */
export function lastStrike(
  { from, to }: Pick<Incident, 'from' | 'to'>,
  tracks: readonly Track[],
  { windowMs, part }: Pick<Signature, 'windowMs' | 'part'>,
): Incident['to'] {
  const strikes = tracks
    .flatMap(({ marks }) => marks)
    .filter(({ what, placed }) => isStrike(what, part) && placed.earliest >= from.earliest)
    .map(({ placed }) => placed)
    .sort((a, b) => a.earliest - b.earliest)
  let end = to
  for (const { earliest, latest } of strikes) {
    if (earliest - end.latest > windowMs) break
    end = { earliest: Math.max(end.earliest, earliest), latest: Math.max(end.latest, latest) }
  }
  return end
}

function isStrike(what: string, part: Signature['part']): boolean {
  return what !== 'witness' && (!part || part.causes.includes(what))
}
