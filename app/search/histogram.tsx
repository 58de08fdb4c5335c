import type { ReactNode } from 'react'
import { dayBars } from '#lib/chart/day-bars.ts'
import { formatQuery, type SearchQuery } from '#lib/search/query.ts'
import type { Bin, Histogram } from '#lib/service/histogram.ts'
import { Key, Numbers } from '../_ui/bars.tsx'
import { count, counted, day, moment } from '../_ui/format.ts'

const SIZE = { width: 1000, height: 56 }

/** Runs that match over the range; each bar leads to the search of its time alone. */
export function MatchHistogram({ histogram, query }: { histogram: Histogram; query: SearchQuery }): ReactNode {
  const { unit, bins, countedFrom } = histogram
  const { bars } = dayBars(
    bins.map((bin) => ({ day: String(bin.from), failed: bin.runs, died: bin.failedRuns })),
    SIZE,
  )
  const most = Math.max(...bins.map(({ runs }) => runs))
  const [first, last] = [bins[0], bins.at(-1)]
  if (!first || !last || bins.length === 1) return null
  return (
    <figure className="mt-3">
      <figcaption className="mb-1 flex flex-wrap gap-x-4 text-small text-faint">
        <span>
          Runs that match by {unit} (UTC), {count(most)} at most; a bar narrows the search to its time:
        </span>
        <Key className="fill-accent" word="failed" />
        <Key className="fill-edge" word="other" />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing whose marks are links is a group, not a fieldset */}
      <svg
        role="group"
        aria-label={`Runs that match by ${unit}`}
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        className="block h-14 w-full border-b border-edge"
      >
        {bars.map(({ x, width, known, unknown }, i) => {
          const bin = bins[i]
          return (
            bin && (
              <a key={bin.from} href={hrefOf(query, bin)} aria-label={titleOf(bin, unit)} className="group">
                <title>{titleOf(bin, unit)}</title>
                <rect
                  x={x}
                  y={0}
                  width={width}
                  height={SIZE.height}
                  className={`group-hover:fill-wash group-focus-visible:fill-wash ${isUncounted(bin, countedFrom) ? 'fill-line' : 'fill-transparent'}`}
                />
                <rect x={x} width={width} {...known} className="fill-accent" />
                <rect x={x} width={width} {...unknown} className="fill-edge" />
              </a>
            )
          )
        })}
      </svg>
      <p className="flex justify-between text-tiny text-faint">
        <span>{day(first.from)}</span>
        {countedFrom !== undefined && <span>grey: not counted</span>}
        <span>{day(last.to - 1)}</span>
      </p>
      <Numbers columns={[`${unit} (UTC)`, 'runs', 'failed', 'of']} rows={rowsOf(histogram, query)} />
    </figure>
  )
}

function rowsOf({ bins }: Histogram, query: SearchQuery) {
  return bins
    .filter(({ runs }) => runs > 0)
    .toReversed()
    .map((bin) => ({
      name: moment(bin.from),
      href: hrefOf(query, bin),
      numbers: [count(bin.runs), count(bin.failedRuns), bin.of === undefined ? '–' : count(bin.of)],
    }))
}

function hrefOf(query: SearchQuery, { from, to }: Bin): string {
  return `/search?${formatQuery({ ...query, range: { from, to } })}`
}

function titleOf({ from, to, runs, failedRuns, of }: Bin, unit: Histogram['unit']): string {
  const time = { hour: moment(from), day: day(from), week: `${day(from)} to ${day(to - 1)}` }[unit]
  const whole = of === undefined ? '' : ` of ${count(of)}`
  return `${time}: ${counted(runs, 'run')}${whole}, ${count(failedRuns)} failed`
}

function isUncounted({ to }: Bin, countedFrom: number | undefined): boolean {
  return countedFrom !== undefined && to <= countedFrom
}
