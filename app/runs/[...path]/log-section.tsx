import type { ReactNode } from 'react'
import type { Log } from '#lib/model/run.ts'
import { formatRunPath } from '#lib/model/run-path.ts'
import type { LogWindow, RunView } from '#lib/service/views.ts'
import { bytes, count, counted } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { LogLines } from './log-lines.tsx'
import { LogMap } from './log-map.tsx'

/** Lines that a link names, both inclusive. */
export interface Selected {
  readonly from: number
  readonly to: number
}

/** Where lines of this page's logs are: `at` chooses a window, `line` selects too. */
export type LineLink = (log: string, line: number, how?: 'at' | 'line') => string

export function LogSection({
  view,
  window,
  selected,
}: {
  view: RunView
  window: LogWindow
  selected: Selected | undefined
}): ReactNode {
  const page = `/runs/${formatRunPath(view.run)}`
  const link: LineLink = (log, line, how = 'line') =>
    `${page}?${new URLSearchParams({ log, [how]: String(line) })}#L${line}`
  const { log } = window
  return (
    <section className="mt-8 grid items-start gap-x-6 gap-y-4 xl:grid-cols-[minmax(0,1fr)_18rem]">
      <LogList logs={view.logs} current={log} page={page} hits={view.hits} />
      <div className="min-w-0 xl:order-first">
        <LogHead
          log={log}
          window={window}
          raw={`/api/v1/raw/${formatRunPath(view.run)}?${new URLSearchParams({ log: log.name })}`}
        />
        {log.lines === 0 ? (
          <p className="text-soft">It is empty.</p>
        ) : (
          <>
            <LogMap window={window} link={link} />
            <Turn window={window} link={link} />
            <LogLines window={window} selected={selected} link={link} />
            <Turn window={window} link={link} />
          </>
        )}
      </div>
    </section>
  )
}

function LogHead({ log, window, raw }: { log: Log; window: LogWindow; raw: string }): ReactNode {
  return (
    <div className="mb-2">
      <h2 className="font-mono text-small break-all">{log.name}</h2>
      <p className="flex flex-wrap gap-x-3 text-small text-faint">
        <span>
          lines {count(window.from)}–{count(window.to)} of {count(log.lines)}
        </span>
        {window.hitLines.length > 0 && (
          <span>
            {counted(window.hitLines.length, 'hit')}: <kbd>n</kbd> next, <kbd>p</kbd> previous
          </span>
        )}
        <a href={raw} className="link">
          raw, {bytes(log.bytes)}
        </a>
      </p>
      {log.truncatedFrom !== undefined && (
        <p className="text-small text-warn">
          ▲ Its middle was left out when it was read: it held {bytes(log.truncatedFrom)}.
        </p>
      )}
      {log.broken && <p className="text-small text-warn">▲ It ends early: {log.broken}</p>}
    </div>
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
  logs,
  current,
  page,
  hits,
}: {
  logs: readonly Log[]
  current: Log
  page: string
  hits: RunView['hits']
}): ReactNode {
  const hitLogs = Map.groupBy(hits, ({ hit }) => hit.log)
  return (
    <nav
      aria-label="Logs of this run"
      className="frame max-xl:max-h-48 overflow-y-auto px-3 py-2 xl:sticky xl:top-4 xl:max-h-[calc(100vh-2rem)]"
    >
      <h2 className="text-small text-faint">{counted(logs.length, 'log')}</h2>
      <ul className="text-small">
        {logs.map((log) => (
          <li key={log.name} className="py-0.5">
            <Link
              href={`${page}?${new URLSearchParams({ log: log.name })}`}
              current={log.name === current.name ? 'page' : undefined}
              className="link break-words aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {log.name}
            </Link>
            <span className="block text-faint">
              {counted(log.lines, 'line')}
              {hitLogs.has(log.name) && `, ${counted(hitLogs.get(log.name)?.length ?? 0, 'hit')}`}
            </span>
          </li>
        ))}
      </ul>
    </nav>
  )
}
