import type { ReactNode } from 'react'
import type { LogWindow } from '#lib/service/views.ts'
import { ansiSpans } from '../../_ui/ansi.ts'
import { count } from '../../_ui/format.ts'
import type { LineLink, Selected } from './log-section.tsx'
import { LogSelection } from './log-selection.client.tsx'

/** The lines as they were, colours and all; each number is the line's link. */
export function LogLines({
  window,
  selected,
  link,
}: {
  window: LogWindow
  selected: Selected | undefined
  link: LineLink
}): ReactNode {
  const { log, lines, hitLines } = window
  const hits = new Set(hitLines)
  const digits = String(window.to).length
  const gutter = digits <= 4 ? 'w-[6ch]' : digits <= 6 ? 'w-[8ch]' : 'w-[11ch]'
  return (
    <div className="frame overflow-hidden bg-sunk py-1 font-mono text-small">
      <LogSelection />
      <ol id="log">
        {lines.map(({ number, text, cut }, i) => (
          <li key={number}>
            <LeftOut before={lines[i - 1]?.number} number={number} />
            <div
              id={`L${number}`}
              data-line={number}
              data-selected={selected && number >= selected.from && number <= selected.to ? '' : undefined}
              className={`flex scroll-mt-[30vh] border-l-2 data-selected:border-accent ${hits.has(number) ? 'border-alert bg-struck data-selected:bg-mark/40' : 'border-transparent target:bg-wash data-selected:bg-wash'}`}
            >
              <a
                href={link(log.name, number)}
                data-hit={hits.has(number) ? '' : undefined}
                className={`${gutter} shrink-0 pr-[1.5ch] text-right text-faint select-none hover:text-accent`}
              >
                {number}
              </a>
              <span className="min-w-0 grow pr-2 break-all whitespace-pre-wrap">
                <LineText text={text} />
                {cut && <span className="text-faint"> … the line goes on: see raw</span>}
              </span>
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}

function LineText({ text }: { text: string }): ReactNode {
  return ansiSpans(text).map(({ text: part, className }, i) =>
    className ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line never move
      <span key={i} className={className}>
        {part}
      </span>
    ) : (
      part
    ),
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
