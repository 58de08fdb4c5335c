import type { ReactNode } from 'react'
import { LATE } from '#lib/service/reach.ts'
import type { Freshness } from '#lib/service/views.ts'
import { count, counted, nearMoment } from './format.ts'
import { Link } from './link.tsx'
import type { Loaded } from './load.ts'

/** On every page: how far the data reaches. Quiet when fine, in words when not. */
export function FreshnessLine({ fresh }: { fresh: Loaded<Freshness> }): ReactNode {
  if (fresh.trouble) return <Line tone="text-warn">The data can’t be read: {fresh.trouble.message}</Line>
  const { view, ctx } = fresh
  return (
    <Line tone={view.state === 'late' || view.filling ? 'text-warn' : 'text-faint'}>
      {view.filling && 'not all is here: a restore or a move into this store has not ended · '}
      {[reach(view, ctx.now()), ...amounts(view)].join(' · ')}
      {view.problems > 0 && (
        <>
          {' · '}
          <Link href="/status" className="underline underline-offset-2">
            {counted(view.problems, 'problem')}
          </Link>
        </>
      )}
    </Line>
  )
}

function Line({ tone, children }: { tone: string; children: ReactNode }): ReactNode {
  return (
    <aside aria-label="How far the data reaches" className={`mt-2 text-small ${tone}`}>
      {children}
    </aside>
  )
}

function reach({ state, readTo, completeTo, progress }: Freshness, now: number): string {
  if (state === 'never') return 'nothing read yet'
  const read = [
    state === 'late' ? `late: ${LATE}` : undefined,
    readTo === undefined ? undefined : `read to ${nearMoment(readTo, now)} UTC`,
    completeTo === undefined ? undefined : `complete for runs started before ${nearMoment(completeTo, now)}`,
    progress && readTo === undefined
      ? `reading ${count(progress.done)} of ${counted(progress.total, 'run')}`
      : undefined,
  ]
  return read.filter((part) => part !== undefined).join(', ')
}

function amounts({ runs, truncated, pending }: Freshness): string[] {
  return [
    counted(runs, 'run'),
    ...(truncated > 0 ? [`${counted(truncated, 'log')} truncated`] : []),
    ...(pending > 0 ? [`${counted(pending, 'run')} pending`] : []),
  ]
}
