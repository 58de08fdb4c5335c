import type { ReactNode } from 'react'
import type { Log } from '#lib/model/run.ts'
import { formatRunPath } from '#lib/model/run-path.ts'
import type { LogWindow, RunView } from '#lib/service/views.ts'
import { count, counted } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { type Asked, LogHead } from './log-head.tsx'
import { LogLines } from './log-lines.tsx'
import { LogMap } from './log-map.tsx'
import type { LineLink } from './places.ts'

export function LogSection({ view, window, asked }: { view: RunView; window: LogWindow; asked: Asked }): ReactNode {
  const page = `/runs/${formatRunPath(view.run)}`
  const { find } = view
  const params = (given: Record<string, string>) =>
    new URLSearchParams({ ...given, ...(find ? { find: find.pattern, ...(asked.all ? { all: '1' } : {}) } : {}) })
  const link: LineLink = (log, line, how = 'line') => `${page}?${params({ log, [how]: String(line) })}#L${line}`
  const { log } = window
  const raw = `/api/v1/raw/${formatRunPath(view.run)}?${new URLSearchParams({ log: log.name })}`
  return (
    <section className="mt-8 grid items-start gap-x-6 gap-y-4 xl:grid-cols-[minmax(0,1fr)_18rem]">
      <LogList view={view} current={log} link={(name) => `${page}?${params({ log: name })}`} />
      <div className="min-w-0 xl:order-first">
        <LogHead {...{ window, find, asked, page, raw, link }} />
        {log.lines === 0 ? (
          <p className="text-soft">It is empty.</p>
        ) : (
          <>
            <LogMap window={window} link={link} />
            <Turn window={window} link={link} />
            <LogLines
              {...{ window, find, link }}
              selected={asked.selected}
              here={asked.selected?.from ?? find?.marks[0]?.line}
            />
            <Turn window={window} link={link} />
          </>
        )}
      </div>
    </section>
  )
}

function Turn({ window: { log, from, to }, link }: { window: LogWindow; link: LineLink }): ReactNode {
  if (from <= 1 && to >= log.lines) return null
  return (
    <nav aria-label="Parts of the log" className="flex flex-wrap gap-x-4 py-1.5 text-small">
      {from > 1 && (
        <>
          <Link href={link(log.name, 1, 'at')}>↑ first line</Link>
          <Link href={link(log.name, Math.max(1, from - 100), 'at')}>↑ earlier lines</Link>
        </>
      )}
      {to < log.lines && (
        <>
          <Link href={link(log.name, Math.min(log.lines, to + 100), 'at')}>↓ later lines</Link>
          <Link href={link(log.name, log.lines, 'at')}>↓ last line</Link>
        </>
      )}
    </nav>
  )
}

function LogList({
  view: { logs, hits, find },
  current,
  link,
}: {
  view: RunView
  current: Log
  link: (log: string) => string
}): ReactNode {
  const hitLogs = Map.groupBy(hits, ({ hit }) => hit.log)
  const matches = new Map(find?.logs.map(({ log, lines }) => [log, lines]))
  return (
    <nav
      aria-label="Logs of this run"
      className="frame max-xl:max-h-48 overflow-y-auto px-3 py-2 xl:sticky xl:top-4 xl:max-h-[calc(100vh-2rem)]"
    >
      <h2 className="text-small text-faint">{counted(logs.length, 'log')}</h2>
      <ul className="text-small">
        {logs.map(({ name, lines }) => (
          <li key={name} className="py-0.5">
            <Link
              href={link(name)}
              current={name === current.name ? 'page' : undefined}
              className="link break-words aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {name}
            </Link>
            <span className="block text-faint">
              {counted(lines, 'line')}
              {hitLogs.has(name) && `, ${counted(hitLogs.get(name)?.length ?? 0, 'hit')}`}
              {matches.has(name) && <span className="text-ink">{`, ${count(matches.get(name) ?? 0)} found`}</span>}
            </span>
          </li>
        ))}
      </ul>
    </nav>
  )
}
