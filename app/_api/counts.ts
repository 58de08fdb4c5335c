import type { DataReach } from '#lib/service/views.ts'

/** What counts are worth, in headers: a gate must not read nothing of stale data as nothing at all. */
export function worthHeaders(reach: DataReach, partial: readonly string[] = reach.lacking): Record<string, string> {
  return {
    ...(reach.completeTo === undefined ? {} : { 'prowl-complete-to': new Date(reach.completeTo).toISOString() }),
    'prowl-partial': partial.length > 0 ? partial.join(', ') : 'no',
    'prowl-data': [reach.words, ...reach.warnings].join('; '),
  }
}

/** The same in the body of an answer that holds counts: the moment up to which all runs are in, and what it lacks. */
export function worthOf({ completeTo, lacking: partial }: DataReach) {
  return { ...(completeTo !== undefined && { completeTo }), partial }
}
