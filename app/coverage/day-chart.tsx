import type { ReactNode } from 'react'
import { dayBars } from '#lib/chart/day-bars.ts'
import { dateTicks } from '#lib/chart/time-axis.ts'
import type { CoverageView } from '#lib/service/coverage.ts'
import { Key, Numbers } from '../_ui/bars.tsx'
import { count, counted, percent } from '../_ui/format.ts'
import { ScrollFrame } from '../_ui/scroll-frame.tsx'

const PLOT = { width: 1096, height: 96 }
const LEFT = 36
const BELOW = 22
const DAY = 86_400_000

/** Failed runs of each day, known and unknown; each bar leads to the failed runs of its day. */
export function DayChart({ view: { days, window } }: { view: CoverageView }): ReactNode {
  const { bars, ticks } = dayBars(days, PLOT)
  const end = window.from + days.length * DAY
  const x = (at: number) => ((at - window.from) / (end - window.from)) * PLOT.width
  const [width, height] = [LEFT + PLOT.width, PLOT.height + BELOW]
  return (
    <figure className="mt-5">
      <figcaption className="mb-1 flex flex-wrap gap-x-4 text-small text-faint">
        <span>Failed runs a day:</span>
        <Key className="fill-edge" word="died of a known failure" />
        <Key className="fill-accent" word="unknown" />
      </figcaption>
      <ScrollFrame>
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing whose marks are links is a group, not a fieldset */}
        <svg
          role="group"
          aria-label="Failed runs a day, known and unknown"
          width={width}
          height={height + 6}
          viewBox={`${-LEFT} -6 ${width} ${height + 6}`}
          className="block text-tiny"
        >
          {ticks.map(({ value, y }) => (
            <g key={value}>
              <line x1={0} x2={PLOT.width} y1={y} y2={y} className="stroke-line" />
              <text x={-6} y={y + 4} textAnchor="end" className="fill-faint">
                {count(value)}
              </text>
            </g>
          ))}
          <line x1={0} x2={PLOT.width} y1={PLOT.height + 0.5} y2={PLOT.height + 0.5} className="stroke-edge" />
          {bars.map(({ day, x: left, width: wide, known, unknown }, i) => (
            <a key={day} href={failedOf(day)} className="group">
              <title>{dayTitle(days[i])}</title>
              <rect
                x={left}
                y={0}
                width={wide}
                height={PLOT.height}
                className="fill-transparent group-hover:fill-wash"
              />
              <rect x={left} width={wide} {...known} className="fill-edge" />
              <rect x={left} width={wide} {...unknown} className="fill-accent" />
            </a>
          ))}
          {dateTicks(window.from, end, x).map(({ at, x: place, label, major }) => (
            <g key={at}>
              <line x1={place} x2={place} y1={PLOT.height} y2={PLOT.height + (major ? 8 : 4)} className="stroke-edge" />
              {label && (
                <text x={place + 4} y={PLOT.height + 16} className="fill-faint">
                  {place > PLOT.width - 32 ? '' : label}
                </text>
              )}
            </g>
          ))}
        </svg>
      </ScrollFrame>
      <Numbers
        columns={['day (UTC)', 'failed', 'known', 'share']}
        rows={days.map(({ day, failed, died }) => ({
          name: day,
          href: failedOf(day),
          numbers: [count(failed), count(died), percent(Math.min(died, failed), failed)],
        }))}
      />
    </figure>
  )
}

function failedOf(day: string): string {
  return `/search?${new URLSearchParams({ search: '', result: 'failure,error', from: day, to: day, maxPerRun: '1' })}`
}

function dayTitle(day: CoverageView['days'][number] | undefined): string {
  if (!day) return ''
  return `${day.day}: ${counted(day.failed, 'failed run')}, ${count(day.died)} known`
}
