import type { ReactNode } from 'react'
import type { EditChange, EditRun, EditRuns, EditAnswer as View } from '#lib/service/edit-view.ts'
import { count, counted } from '../../_ui/format.ts'
import { HitLine } from '../../_ui/hit-line.tsx'
import { Link } from '../../_ui/link.tsx'
import { PlaceLinks } from '../../_ui/place-links.tsx'
import { pullName } from '../../_ui/pull-name.ts'
import { Result } from '../../_ui/result.tsx'
import { Time } from '../../_ui/time.tsx'

/** Run by run what an edit changes, signature by signature; those it leaves as they are in one line each. */
export function EditAnswer({ answer: { previews }, now }: { answer: View; now: number }): ReactNode {
  const unchanged = previews.filter((change) => !changes(change))
  return (
    <>
      {previews.filter(changes).map((change) => (
        <Change key={change.signature} change={change} now={now} />
      ))}
      {unchanged.length > 0 && <Unchanged all={unchanged} />}
    </>
  )
}

export function changes({ gained, lost }: EditChange): boolean {
  return gained.count + lost.count > 0
}

function Unchanged({ all }: { all: readonly EditChange[] }): ReactNode {
  return (
    <section className="mt-8" aria-labelledby="unchanged">
      <h2 id="unchanged" className="border-b border-edge pb-1">
        No change
      </h2>
      <ul className="mt-1 space-y-0.5">
        {all.map(({ signature, title, why, kept }) => (
          <li key={signature}>
            {title}{' '}
            <span className="text-soft">
              <code>{signature}</code>, {WHY[why]}: {kept === 0 ? 'no run has it' : `${counted(kept, 'run')} as before`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const WHY: Readonly<Record<EditChange['why'], string>> = {
  new: 'new',
  edited: 'its rules differ',
  removed: 'no longer defined',
  family: 'counted together with what is edited',
  yields: 'yields to what is edited',
}

function Change({ change, now }: { change: EditChange; now: number }): ReactNode {
  const { signature, title, why, gained, lost, kept } = change
  return (
    <section className="mt-8" aria-labelledby={`change-${signature}`}>
      <h2 id={`change-${signature}`} className="border-b border-edge pb-1">
        {title}{' '}
        <span className="font-normal text-soft">
          <code>{signature}</code>, {WHY[why]}
        </span>
      </h2>
      <Runs word="gained" mark="+" runs={gained} now={now} />
      <Runs word="lost" mark="−" runs={lost} now={now} />
      <p className="mt-2 text-soft">{counted(kept, 'run')} would have it as before.</p>
    </section>
  )
}

function Runs({
  word,
  mark,
  runs: { count: all, runs },
  now,
}: {
  word: string
  mark: string
  runs: EditRuns
  now: number
}): ReactNode {
  if (all === 0) return null
  return (
    <div className="mt-3">
      <h3 className="font-medium">
        <span aria-hidden="true" className="inline-block w-[1.1em]">
          {mark}
        </span>
        {counted(all, 'run')} {word}
        {all > runs.length && <span className="font-normal text-soft">, the newest {count(runs.length)} of them</span>}
      </h3>
      <ol>
        {runs.map((one) => (
          <RunItem key={one.links.prowl} one={one} now={now} />
        ))}
      </ol>
    </div>
  )
}

function RunItem({ one: { run, links, hits, moreHits }, now }: { one: EditRun; now: number }): ReactNode {
  return (
    <li className="border-t border-line py-2 first:border-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Time at={run.time} now={now} />
        <Result result={run.result} />
        <Link href={`/jobs/${encodeURIComponent(run.job)}`} className="break-all text-soft hover:text-accent">
          {run.job}
        </Link>
        <Link href={links.prowl} className="text-soft hover:text-accent">
          {run.buildId}
        </Link>
        {run.refs && links.pull && (
          <a href={links.pull} rel="noreferrer" className="link whitespace-nowrap">
            {pullName(run.refs)}
          </a>
        )}
        <PlaceLinks links={hits[0]?.links ?? links} className="ml-auto max-sm:ml-0" />
      </div>
      {hits.map((hit) => (
        <HitLine key={hit.links.prowl + hit.hit.cause + hit.hit.resource} view={hit} />
      ))}
      {moreHits > 0 && <p className="text-small text-faint">{counted(moreHits, 'more hit')} in this run</p>}
    </li>
  )
}
