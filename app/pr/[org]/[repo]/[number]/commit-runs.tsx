import type { ReactNode } from 'react'
import { runLinks } from '#lib/deployment/links.ts'
import { othersWords } from '#lib/service/known-text.ts'
import type { PullCommit, PullRun } from '#lib/service/pull.ts'
import { failedWords } from '#lib/service/pull-words.ts'
import type { KnownFailure } from '#lib/service/run-known.ts'
import { BugLinks } from '../../../../_ui/bug-links.tsx'
import { HitLine } from '../../../../_ui/hit-line.tsx'
import { Link } from '../../../../_ui/link.tsx'
import { PlaceLinks } from '../../../../_ui/place-links.tsx'
import { Result } from '../../../../_ui/result.tsx'
import { groupLink, signatureLink } from '../../../../_ui/signature-link.ts'
import { Time } from '../../../../_ui/time.tsx'

/** The failed runs of one commit, and those that have not ended. `folded`: its heading opens and closes them. */
export function CommitRuns({
  commit,
  now,
  folded = false,
}: {
  commit: PullCommit
  now: number
  folded?: boolean
}): ReactNode {
  const { failed, pending } = commit
  const words = failedWords(commit)
  return (
    <>
      {folded ? (
        <summary>{words}</summary>
      ) : (
        <h2 className="mt-6 border-b border-edge pb-1">{failed.length > 0 ? 'Failed runs' : 'No failed run'}</h2>
      )}
      <ol aria-label={words}>
        {failed.map((run) => (
          <FailedRun key={run.links.prowl} run={run} now={now} />
        ))}
      </ol>
      {pending.length > 0 && (
        <p className="mt-3 text-soft">
          Not ended yet:{' '}
          {pending.map((run, i) => (
            <span key={run.path}>
              {i > 0 && ', '}
              <Link href={runLinks(run).prowl}>{run.job}</Link>
            </span>
          ))}
        </p>
      )}
    </>
  )
}

function FailedRun({
  run: { run, links, died, survived, words, state, failure, passedSince, beside },
  now,
}: {
  run: PullRun
  now: number
}): ReactNode {
  const isYours = state === 'not' && !passedSince
  return (
    <li className="border-b border-line py-3 last:border-0">
      <p className="flex flex-wrap items-baseline gap-x-4">
        <Link href={links.prowl} className="font-medium break-all text-ink hover:text-accent" row>
          {run.job}
        </Link>
        <Result result={run.result} />
        <span className="text-soft">
          <Time at={run.time} now={now} />
        </span>
        {beside.length > 0 && (
          <span className="text-faint">batch, with {beside.map((number) => `#${number}`).join(' ')}</span>
        )}
        {passedSince && (
          <span className="text-good">
            ✓ <Link href={runLinks(passedSince).prowl}>passed since</Link>, same commit
          </span>
        )}
      </p>
      {died.map((known) => (
        <Known key={known.id} known={known} mark="● known:" />
      ))}
      {state !== 'known' && (
        <p className={`mt-1 font-medium ${isYours ? 'text-alert' : 'text-warn'}`}>
          {isYours ? '■' : '▲'} {words}
        </p>
      )}
      {failure && (
        <div className="mt-0.5">
          <HitLine view={{ hit: { log: failure.log, line: failure.line, text: failure.text }, links: failure.links }} />
          {failure.others > 0 && (
            <p className="text-small text-soft">
              <Link href={groupLink(failure.group)}>{othersWords(failure.others)}</Link>
            </p>
          )}
        </div>
      )}
      {survived.map((known) => (
        <Known key={known.id} known={known} mark="○ also struck, and survived:" />
      ))}
      <PlaceLinks links={links} className="mt-1" />
    </li>
  )
}

function Known({
  known: { id, title, bugs, advice, hit, links },
  mark,
}: {
  known: KnownFailure
  mark: string
}): ReactNode {
  return (
    <div className="mt-1">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span>
          {mark} <Link href={signatureLink(id)}>{title}</Link>
        </span>
        {bugs.length > 0 && (
          <span className="flex flex-wrap items-baseline gap-x-2">
            bug <BugLinks bugs={bugs} />
          </span>
        )}
      </p>
      <HitLine view={{ hit, links }} />
      {advice && <p className="mt-0.5 max-w-[56rem] text-pretty text-soft">{advice}</p>}
    </div>
  )
}
