import type { ReactNode } from 'react'
import type { FindView, LogWindow, SearchView } from '#lib/service/views.ts'
import { bytes, count, counted } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { QueryError } from '../../_ui/query-error.tsx'
import { type LineLink, type Selected, type Stops, stopsOf } from './places.ts'

/** What a reader asked of the page, and what is wrong with it. */
export interface Asked {
  readonly selected: Selected | undefined
  readonly find: string | undefined
  /** All that is found is counted, which may take long. */
  readonly all: boolean
  readonly error: SearchView['error'] | undefined
}

export function LogHead({
  window,
  find,
  asked,
  page,
  raw,
  link,
}: {
  window: LogWindow
  find: FindView | undefined
  asked: Asked
  page: string
  raw: string
  link: LineLink
}): ReactNode {
  const { log } = window
  const { selected } = asked
  return (
    <div className="mb-2 space-y-1.5">
      <h2 className="font-mono text-small break-all">{log.name}</h2>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1.5 text-small">
        <FindForm page={page} log={log.name} asked={asked} />
        <LineForm page={page} log={log.name} find={asked.find} />
      </div>
      {asked.error && <QueryError error={asked.error} />}
      {find && <Found find={find} page={page} log={log.name} />}
      <p className="flex flex-wrap gap-x-3 text-small text-faint">
        <span>
          lines {count(window.from)}–{count(window.to)} of {count(log.lines)}
        </span>
        <a href={raw} className="link">
          raw, {bytes(log.bytes)}
        </a>
        <a href={raw} download className="link">
          download
        </a>
      </p>
      <StopLinks
        stops={stopsOf(window, find, selected?.from)}
        log={log.name}
        link={link}
        hits={window.hitLines.length}
      />
      {selected && selected.from > log.lines && (
        <p className="text-small text-warn">
          ▲ There is no line {count(selected.from)}: it has {counted(log.lines, 'line')}.
        </p>
      )}
      {log.truncatedFrom !== undefined && (
        <p className="text-small text-warn">
          ▲ Its middle was left out when it was read: it held {bytes(log.truncatedFrom)}.
        </p>
      )}
      {log.broken && <p className="text-small text-warn">▲ It ends early: {log.broken}</p>}
    </div>
  )
}

/** Plain GET forms: their addresses say what is shown, and `#here` leads to it. */
function FindForm({ page, log, asked: { find, error } }: { page: string; log: string; asked: Asked }): ReactNode {
  return (
    <search className="min-w-0 max-sm:w-full">
      <form action={`${page}#here`} className="flex min-w-0 gap-2">
        <input type="hidden" name="log" value={log} />
        <input
          type="search"
          name="find"
          defaultValue={find}
          required
          aria-label="Find in the logs of this run: a regex"
          aria-invalid={error !== undefined}
          placeholder="find in this run: a regex"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="field min-w-0 grow font-mono aria-invalid:border-alert sm:w-[34ch]"
        />
        <button type="submit" className="button">
          Find
        </button>
      </form>
    </search>
  )
}

function LineForm({ page, log, find }: { page: string; log: string; find: string | undefined }): ReactNode {
  return (
    <form action={`${page}#here`} className="flex items-center gap-2">
      <input type="hidden" name="log" value={log} />
      {find !== undefined && <input type="hidden" name="find" value={find} />}
      <input
        name="line"
        required
        inputMode="numeric"
        pattern="[1-9][0-9]{0,9}"
        title="A line’s number"
        aria-label="Line"
        placeholder="line"
        autoComplete="off"
        className="field w-[10ch]"
      />
      <button type="submit" className="button">
        Go to line
      </button>
    </form>
  )
}

function Found({ find, page, log }: { find: FindView; page: string; log: string }): ReactNode {
  const isCut = find.partial.includes('deadline') || find.partial.includes('bytes')
  const least = find.partial.length > 0 ? 'at least ' : ''
  const here = find.logs.find((each) => each.log === log)?.lines ?? 0
  return (
    <p role="status" className="flex flex-wrap gap-x-3">
      <span className="font-medium">
        {find.lines === 0
          ? isCut
            ? 'No line found yet'
            : 'No line matches'
          : `${least}${counted(find.lines, 'line')} of ${counted(find.logs.length, 'log')}`}
      </span>
      {find.lines > here && <span className="text-soft">{count(here)} of them in this log</span>}
      {isCut && (
        <>
          <span className="text-warn">▲ stopped after {(find.searched.ms / 1_000).toFixed(1)} s</span>
          <Link href={`${page}?${new URLSearchParams({ log, find: find.pattern, all: '1' })}#here`}>
            count them all
          </Link>
        </>
      )}
      {find.searched.leftOut > 0 && (
        <span className="text-warn">▲ {counted(find.searched.leftOut, 'block')} could not be looked at</span>
      )}
    </p>
  )
}

/** The keys n and p take the addresses from here, where the window ends. */
function StopLinks({
  stops: { word, previous, next, above, below },
  log,
  link,
  hits,
}: {
  stops: Stops
  log: string
  link: LineLink
  hits: number
}): ReactNode {
  if (previous === undefined && next === undefined && above === undefined && below === undefined) return null
  const to = (line: number | undefined) => (line === undefined ? undefined : link(log, line))
  return (
    <nav
      aria-label={word === 'hit' ? 'Hits in this log' : 'Matches in this log'}
      data-stop-above={to(above)}
      data-stop-below={to(below)}
      className="flex flex-wrap gap-x-4 text-small"
    >
      {word === 'hit' && <span className="text-faint">{counted(hits, 'hit')}</span>}
      {previous !== undefined && (
        <Link href={link(log, previous)}>
          ↑ previous {word}, line {count(previous)}
        </Link>
      )}
      {next !== undefined && (
        <Link href={link(log, next)}>
          ↓ next {word}, line {count(next)}
        </Link>
      )}
      <span className="text-faint max-sm:hidden">
        <kbd>n</kbd> next, <kbd>p</kbd> previous
      </span>
    </nav>
  )
}
