import type { ReactNode } from 'react'
import type { Choice, Jump } from '#lib/service/jump.ts'
import type { UnreadRun } from '#lib/service/unread.ts'
import { Link } from '../_ui/link.tsx'
import { Result } from '../_ui/result.tsx'
import { Time } from '../_ui/time.tsx'

/** What there is instead of a search where the text names something that can't be opened at once. */
export function Jumped({
  jump,
  text,
  now,
}: {
  jump: Extract<Jump, { kind: 'choices' | 'unread' }>
  text: string
  now: number
}): ReactNode {
  return (
    <section className="mt-6 max-w-4xl">
      {jump.kind === 'unread' ? (
        <Unread unread={jump.unread} text={text} />
      ) : (
        <Choices choices={jump.choices} text={text} now={now} />
      )}
      <p className="mt-4 text-soft">
        Or <Link href={`/search?${new URLSearchParams({ search: text })}`}>search the logs for this text</Link>.
      </p>
    </section>
  )
}

function Unread({ unread: { job, buildId, sentences }, text }: { unread: UnreadRun; text: string }): ReactNode {
  return (
    <>
      <h1>This run has not been read</h1>
      <p className="mt-1 break-all">
        {job ?? 'A run'} <span className="text-faint">{buildId}</span>
      </p>
      <div className="mt-2 space-y-1 text-pretty text-soft">
        {sentences.map((sentence) => (
          <p key={sentence} className="break-words">
            {sentence}
          </p>
        ))}
      </div>
      <p className="mt-2 text-small break-all text-faint">
        Asked for: <code>{text}</code>
      </p>
    </>
  )
}

function Choices({ choices, text, now }: { choices: readonly Choice[]; text: string; now: number }): ReactNode {
  return (
    <>
      <h1>
        <span className="break-all">{text}</span> names {choices.length} things
      </h1>
      <ul className="mt-3">
        {choices.map(({ page, run, title }) => (
          <li key={page} className="flex flex-wrap items-baseline gap-x-4 border-t border-line py-1.5">
            <Link href={page} className="link break-all" row>
              {title}
            </Link>
            {run && (
              <>
                <Result result={run.result} />
                <span className="text-soft">
                  <Time at={run.time} now={now} />
                </span>
                <span className="text-faint">{run.bucket}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
