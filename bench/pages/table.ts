import prettyBytes from 'pretty-bytes'
import { table } from '../render.ts'
import { shown, verdict } from '../targets.ts'
import type { PagesFigures } from './figures.ts'

const MOST_P95_MS = 150
const MOST_HELD_MS = 20

/** What was served, then a row a page. */
export function pagesTable({
  cores,
  node,
  runs,
  hits,
  incidents,
  catalogueBytes,
  requests,
  pages,
}: PagesFigures): string[] {
  const rows = pages.map(({ name, firstMs, firstHeldMs, medianMs, p95Ms, heldMs }) => [
    name,
    ...[`${shown(firstMs)} ms`, `${shown(firstHeldMs)} ms`, `${shown(medianMs)} ms`],
    told(p95Ms, MOST_P95_MS),
    told(heldMs, MOST_HELD_MS),
  ])
  const of = `${runs} runs, ${hits} hits, ${incidents} incidents, ${prettyBytes(catalogueBytes)}`
  return [
    `- ${of}; ${requests} requests for each page, one at a time; ${cores} cores, Node ${node}.`,
    table(
      ['page', 'first', 'loop held', 'median', `p95 (≤ ${MOST_P95_MS} ms)`, `loop held (≤ ${MOST_HELD_MS} ms)`],
      rows,
    ),
  ]
}

function told(ms: number, most: number): string {
  return `${shown(ms)} ms, ${verdict(ms, { atMost: most })}`
}
