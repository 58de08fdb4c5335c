import type { SignatureView } from '#lib/service/views.ts'

/** Changes, and the moment from which the rules of today were looked for. */
export function rulesOf({ changes, evaluatedFrom }: SignatureView): SignatureView['changes'] {
  return evaluatedFrom === undefined ? changes : [...changes, { at: evaluatedFrom, title: 'looked for from here on' }]
}
