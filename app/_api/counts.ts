import type { DataReach } from '#lib/service/views.ts'
import { json } from './answer.ts'

/** What counts are worth, in headers: a gate must not read nothing of stale data as nothing at all. */
export function worthHeaders(reach: DataReach, partial: readonly string[] = reach.lacking): Record<string, string> {
  return {
    ...(reach.completeTo === undefined ? {} : { 'prowl-complete-to': new Date(reach.completeTo).toISOString() }),
    'prowl-partial': partial.length > 0 ? partial.join(', ') : 'no',
    'prowl-data': [reach.words, ...reach.warnings].join('; '),
  }
}

/** An answer that holds counts, with the moment up to which all runs are in and what it lacks, in the body and in headers. */
export function countsJson(view: object, reach: DataReach): Response {
  const { completeTo, lacking: partial } = reach
  return json({ ...view, ...(completeTo !== undefined && { completeTo }), partial }, worthHeaders(reach))
}
