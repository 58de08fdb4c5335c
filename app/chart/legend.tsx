import type { ReactNode } from 'react'
import { formatQuery } from '#lib/search/query.ts'
import type { ChartView } from '#lib/service/peer-chart.ts'
import { count, percent } from '../_ui/format.ts'
import { Link } from '../_ui/link.tsx'
import { colourOf } from './marks.ts'

/** In ci-search's words: `12 (3% of all failures) pattern`. */
export function Legend({ view: { patterns, of, query } }: { view: ChartView }): ReactNode {
  const explained = patterns.reduce((sum, { failed }) => sum + failed, 0)
  return (
    <table className="mt-3">
      <caption className="sr-only">Failed runs by the first pattern that they hold</caption>
      <tbody>
        {patterns.map(({ pattern, failed }, i) => (
          <tr key={pattern}>
            <td className="pr-2">
              <svg width={12} height={12} aria-hidden="true">
                <circle cx={6} cy={6} r={5} fill={colourOf(i)} />
              </svg>
            </td>
            <Share failed={failed} of={of.failed} />
            <td>
              <Link
                href={`/search?${formatQuery({ ...query, patterns: [pattern], groupBy: 'job' })}`}
                className="link font-mono text-small break-all"
              >
                {pattern}
              </Link>
            </td>
          </tr>
        ))}
        <tr>
          <td className="pr-2">
            <svg width={12} height={12} aria-hidden="true">
              <circle cx={6} cy={6} r={4} className="fill-transparent stroke-soft" />
            </svg>
          </td>
          <Share failed={of.failed - explained} of={of.failed} />
          <td className="text-soft">other failures; □ error, small dots: any other result</td>
        </tr>
      </tbody>
    </table>
  )
}

function Share({ failed, of }: { failed: number; of: number }): ReactNode {
  return (
    <>
      <td className="pr-1 text-right tabular-nums">{count(failed)}</td>
      <td className="pr-3 text-right whitespace-nowrap text-soft tabular-nums">
        ({percent(failed, of)} of all failures)
      </td>
    </>
  )
}
