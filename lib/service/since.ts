import { ProwlError } from '../errors.ts'
import { parseDuration } from '../search/duration.ts'
import { parseInstant } from '../search/instant.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** When a day's work begins, UTC: who looks in the morning sees what came since the last one. */
const MORNING = 9 * HOUR

/**
 * The moment (epoch ms) from which a reader wants news: a UTC time, a day, or a duration before `now`; without any,
 * yesterday at 09:00 UTC. Throws QUERY_INVALID.
 */
export function parseSince(text: string | undefined, now: number): number {
  const given = text?.trim()
  if (!given) return Math.floor(now / DAY) * DAY - DAY + MORNING
  const lasting = parseDuration(given)
  const at = lasting === undefined ? parseInstant(given) : now - lasting
  if (at === undefined)
    throw new ProwlError(
      'QUERY_INVALID',
      'since: must be a UTC time such as 2026-11-03 or 2026-11-03T09:00:00Z, or a duration such as 36h or 7d',
    )
  if (at > now) throw new ProwlError('QUERY_INVALID', 'since: must not be later than now')
  return at
}
