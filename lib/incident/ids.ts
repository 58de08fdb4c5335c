import { createHash } from 'node:crypto'
import { index } from 'd3-array'
import type { Incident } from '../model/incident.ts'
import { runText } from './runs.ts'

type Fresh = Omit<Incident, 'id' | 'aliases'>

/**
 * Gives incidents that were clustered anew the ids of the stored ones whose runs they hold. Each stored id goes to the
 * incident with the largest share of its runs (then the nearest in time): a split keeps the id there. An incident that
 * gets several keeps that of the one which began first, the others become aliases. What gets none is named by
 * `newId(incident, n)`, with n counted up from 0 while the answer is taken.
 */
export function assignIds(
  fresh: readonly Fresh[],
  stored: readonly Incident[],
  newId: (incident: Fresh, attempt: number) => string = incidentId,
): Incident[] {
  const heirs = inherit(fresh, stored)
  const taken = new Set(stored.flatMap(({ id, aliases }) => [id, ...aliases]))
  return fresh.map((incident, i) => {
    const [oldest, ...others] = (heirs.get(i) ?? []).sort(
      (a, b) => a.from.earliest - b.from.earliest || (a.id < b.id ? -1 : 1),
    )
    const aliases = [...(oldest?.aliases ?? []), ...others.flatMap((other) => [other.id, ...other.aliases])]
    return { ...incident, id: oldest?.id ?? unused(incident, taken, newId), aliases: [...new Set(aliases)].sort() }
  })
}

/** For each index into `fresh`, the stored incidents whose ids it inherits. */
function inherit(fresh: readonly Fresh[], stored: readonly Incident[]): Map<number, Incident[]> {
  const byRun = new Map<string, number[]>()
  fresh.forEach((incident, i) => {
    for (const run of incident.runs) byRun.set(runText(run), [...(byRun.get(runText(run)) ?? []), i])
  })
  const heirs = new Map<number, Incident[]>()
  for (const old of index(stored, (incident) => incident.id).values()) {
    const heir = largestShare(old, fresh, byRun)
    if (heir !== undefined) heirs.set(heir, [...(heirs.get(heir) ?? []), old])
  }
  return heirs
}

function largestShare(
  old: Incident,
  fresh: readonly Fresh[],
  byRun: ReadonlyMap<string, readonly number[]>,
): number | undefined {
  const shares = new Map<number, number>()
  for (const run of old.runs) {
    for (const i of byRun.get(runText(run)) ?? []) shares.set(i, (shares.get(i) ?? 0) + 1)
  }
  const away = (i: number) => Math.abs((fresh[i]?.at ?? Number.POSITIVE_INFINITY) - old.at)
  return [...shares].sort(([i, a], [j, b]) => b - a || away(i) - away(j) || i - j)[0]?.[0]
}

function unused(incident: Fresh, taken: Set<string>, newId: (incident: Fresh, attempt: number) => string): string {
  let attempt = 0
  let id = newId(incident, attempt)
  while (taken.has(id)) id = newId(incident, ++attempt)
  taken.add(id)
  return id
}

/** RFC 4648 in lower case. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Eight letters (40 bits) made from signature, first run and time, so that two workers give one incident one id. */
export function incidentId(incident: Fresh, attempt = 0): string {
  const [run] = incident.runs
  const key = [incident.signature, run?.bucket, run?.path, incident.from.earliest, attempt].join('\n')
  const digest = createHash('sha256').update(key).digest()
  return Array.from(digest.subarray(0, 8), (byte) => BASE32[byte & 31]).join('')
}
