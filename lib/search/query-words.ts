import { utc } from '../evidence/words.ts'
import { formatDuration } from './duration.ts'
import { MAX_TIME } from './instant.ts'
import { patternWords } from './meet.ts'
import type { SearchQuery } from './query.ts'

/** What a search asks, in one sentence: `Where Prow CI logs match boskos.ci.*EOF, in jobs that match e2e, in the last 14d: …` */
export function queryWords({ job, excludeJob, range, results, kinds, excludes, ...query }: SearchQuery): string {
  const parts = [
    `Where Prow CI logs match ${patternWords(query) || 'anything'}`,
    excludes && `but for lines that match ${excludes.join(' or ')}`,
    job && `in jobs that match ${job}`,
    excludeJob && `not in jobs that match ${excludeJob}`,
    results?.length && `in runs that ended in ${results.join(' or ')}`,
    kinds?.length && `in logs of the kind ${kinds.join(' or ')}`,
    rangeWords(range),
  ]
  return `${parts.filter(Boolean).join(', ')}: ${query.tally ? 'what was caught, and how often' : 'which runs and jobs, how often, and the lines'}`
}

function rangeWords(range: SearchQuery['range']): string {
  if ('lastMs' in range) return `in the last ${formatDuration(range.lastMs)}`
  if (range.from <= 0) return `up to ${utc(range.to)}`
  return `from ${utc(range.from)}${range.to < MAX_TIME ? ` to ${utc(range.to)}` : ''}`
}
