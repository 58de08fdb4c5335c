import { coverageHeadline } from '#app/_ui/coverage-words.ts'
import { percent } from '#app/_ui/format.ts'
import type { TriageRow, TriageView } from '#lib/service/views.ts'
import { mutesOf } from '#lib/triage/mutes.ts'
import { newsLine } from '#lib/triage/news-words.ts'
import { lastDayWords } from '#lib/triage/usual.ts'

/** The triage page for `curl | grep`: what its first lines say, then a line a failure, its columns apart by tabs. */
export function triageText(view: TriageView, now: number): string {
  const { coverage, news, rows, muted } = view
  const columns = ['state', 'id', 'failure', 'how often', '24 h (usual)', `killed, ${coverage.window.days} d`, 'bug']
  return [
    coverageHeadline(coverage),
    newsLine(news, now),
    '',
    columns.join('\t'),
    ...rows.map((row) => line(row, view)),
    ...mutesOf(muted, now).flatMap(({ words, rows: folded }) => ['', words, ...folded.map((row) => line(row, view))]),
    '',
  ].join('\n')
}

function line({ stateWord, signature, words, hits24h, usual24h, killed }: TriageRow, { coverage }: TriageView): string {
  return [
    stateWord,
    signature.id,
    signature.title,
    words,
    lastDayWords({ runs: hits24h, ...(usual24h && { usual: usual24h }) }),
    percent(killed?.share.part ?? 0, coverage.failed),
    signature.bugs.join(' ') || '–',
  ]
    .map((cell) => cell.replace(/\s+/g, ' '))
    .join('\t')
}
