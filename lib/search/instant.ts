/** The last moment that a query can name. */
export const MAX_TIME = Date.UTC(9999, 11, 31)

/**
 * Epoch ms of `2026-11-03`, `2026-11-03T02:14`, `2026-11-03T02:14:00Z` (RFC 3339, UTC where no offset is named); a day
 * alone is its beginning and `dayMs` on. Undefined for anything else.
 */
export function parseInstant(text: string, dayMs = 0): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text)
  if (!match || (match[3] && !match[2])) return undefined
  const ms = Date.parse(match[2] ? `${match[1]}${match[2]}${match[3] ?? 'Z'}` : `${match[1]}T00:00Z`)
  return Number.isFinite(ms) ? Math.min(MAX_TIME, ms + (match[2] ? 0 : dayMs)) : undefined
}
