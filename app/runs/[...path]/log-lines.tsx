import type { ReactNode } from 'react'
import type { FindView, LogWindow } from '#lib/service/views.ts'
import { count } from '../../_ui/format.ts'
import { lineStretches } from '../../_ui/line-parts.ts'
import { LogSelection } from './log-selection.client.tsx'
import type { LineLink, Selected } from './places.ts'

type Spans = FindView['marks'][number]['spans']

/** The lines as they were, colours and all; each number is the line's link. */
export function LogLines({
  window,
  find,
  selected,
  here,
  link,
}: {
  window: LogWindow
  find: FindView | undefined
  selected: Selected | undefined
  /** Where a form's address leads, whose line it can't know. */
  here: number | undefined
  link: LineLink
}): ReactNode {
  const { log, lines, hitLines } = window
  const hits = new Set(hitLines)
  const marks = new Map(find?.marks.map(({ line, spans }) => [line, spans]))
  const digits = String(window.to).length
  const gutter = digits <= 4 ? 'w-[6ch]' : digits <= 6 ? 'w-[8ch]' : 'w-[11ch]'
  const isStop = (line: number) => (find ? marks.has(line) : hits.has(line))
  return (
    <>
      <div className="frame overflow-hidden bg-sunk py-1 font-mono text-small">
        <ol id="log" data-log={log.name}>
          {lines.map(({ number, text, cut }, i) => (
            <li key={number}>
              <LeftOut before={lines[i - 1]?.number} number={number} />
              <div
                id={`L${number}`}
                data-line={number}
                data-selected={selected && number >= selected.from && number <= selected.to ? '' : undefined}
                className={`flex scroll-mt-[30vh] border-l-2 data-selected:border-accent ${hits.has(number) ? 'border-alert bg-struck data-selected:bg-mark/40' : 'border-transparent target:bg-wash data-selected:bg-wash'}`}
              >
                {number === selected?.from && selected.to > number && (
                  <span id={`L${number}-L${selected.to}`} className="scroll-mt-[30vh]" />
                )}
                {number === here && <span id="here" className="scroll-mt-[30vh]" />}
                <a
                  href={link(log.name, number)}
                  data-hit={isStop(number) ? '' : undefined}
                  className={`${gutter} shrink-0 pr-[1.5ch] text-right text-faint select-none hover:text-accent`}
                >
                  {number}
                </a>
                <span className="min-w-0 grow pr-2 break-all whitespace-pre-wrap">
                  <span data-text="">
                    <LineText text={text} marks={marks.get(number)} />
                  </span>
                  {cut && <span className="text-faint"> … the line goes on: see raw</span>}
                </span>
              </div>
            </li>
          ))}
        </ol>
      </div>
      <LogSelection key={`${log.name}:${window.from}`} selected={selected} />
    </>
  )
}

/** Its colours and addresses, and what is found in it. */
function LineText({ text, marks }: { text: string; marks: Spans | undefined }): ReactNode {
  return lineStretches(text, marks).map(({ href, parts }, i) => {
    const inner = parts.map(({ text: part, className, marked }, j) => {
      const Part = marked ? 'mark' : 'span'
      return marked || className ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never move
        <Part key={j} className={className || undefined}>
          {part}
        </Part>
      ) : (
        part
      )
    })
    if (href === undefined) return inner
    // biome-ignore lint/suspicious/noArrayIndexKey: the same
    return <Elsewhere key={i} {...{ href, inner }} />
  })
}

/** Whatever a log links to is told nothing of this page, nor vouched for by it. */
function Elsewhere({ href, inner }: { href: string; inner: ReactNode }): ReactNode {
  return (
    <a href={href} rel="noreferrer noopener nofollow" className="underline decoration-edge hover:decoration-accent">
      {inner}
    </a>
  )
}

function LeftOut({ before, number }: { before: number | undefined; number: number }): ReactNode {
  if (before === undefined || number === before + 1) return null
  return (
    <p className="border-y border-line px-3 py-1 font-sans text-warn">
      ▲ {count(number - before - 1)} lines left out when it was read
    </p>
  )
}
