import type { CoverageView } from '#lib/service/coverage.ts'
import { count, counted, percent } from './format.ts'

/** The answer of triage and coverage pages, in a line. */
export function coverageHeadline({ failed, died, window }: Pick<CoverageView, 'failed' | 'died' | 'window'>): string {
  const last = `last ${counted(window.days, 'day')}`
  if (failed === 0) return `No failed run in the ${last}`
  const known = Math.min(died, failed)
  return `${percent(known, failed)} of ${counted(failed, 'failed run')} died of a known failure (${last}, aborted and lost apart) · ${count(failed - known)} unknown`
}
