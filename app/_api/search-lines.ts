import type { SearchView } from '#lib/service/views.ts'

/** One line per hit, for `curl | grep`: `job build log:line: text`. */
export function searchLines(view: SearchView): string {
  return view.groups
    .flatMap((group) => group.hits)
    .map(({ hit }) => `${hit.job} ${hit.buildId} ${hit.log}:${hit.line}: ${hit.text}\n`)
    .join('')
}
