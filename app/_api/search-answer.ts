import { clean, type Sheet } from '#app/_api/sheet.ts'
import { lackingOf } from '#lib/service/reach.ts'
import type { SearchView } from '#lib/service/views.ts'

/** The view as the API gives it: hits in their order, each once, and groups with their counts. */
export function searchAnswer({ hits, groups, ...view }: SearchView) {
  const { reach } = view
  return {
    ...view,
    ...(reach?.completeTo !== undefined && { completeTo: reach.completeTo }),
    partial: lackingOf(view),
    hits: hits.map(({ hit, links }) => ({ ...hit, links })),
    groups: groups.map(({ key, impact }) => ({ key, ...(impact ? { impact } : {}) })),
  }
}

/** One line per hit, for `curl | grep`: `job build log:line: text`. */
export function searchLines({ hits }: SearchView): string {
  return hits.map(({ hit }) => `${hit.job} ${hit.buildId} ${hit.log}:${hit.line}: ${clean(hit.text)}\n`).join('')
}

export function searchSheet({ hits }: SearchView): Sheet {
  return {
    columns: ['time', 'job', 'build', 'result', 'log', 'line', 'text', 'run'],
    rows: hits.map(({ hit, links }) => [
      new Date(hit.time).toISOString(),
      ...[hit.job, hit.buildId, hit.result, hit.log, hit.line, hit.text, links.prowl],
    ]),
  }
}
