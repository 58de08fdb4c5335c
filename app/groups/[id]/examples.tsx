import type { ReactNode } from 'react'
import type { Example, GroupView } from '#lib/service/groups.ts'
import { Link } from '../../_ui/link.tsx'
import { PlaceLinks } from '../../_ui/place-links.tsx'
import { Result } from '../../_ui/result.tsx'
import { Time } from '../../_ui/time.tsx'

/** Its newest runs, each at the line that it failed with. */
export function Examples({ view: { examples }, now }: { view: GroupView; now: number }): ReactNode {
  return (
    <section className="mt-8" id="runs">
      <h2>Newest runs</h2>
      {examples.length === 0 ? (
        <p className="mt-1 text-soft">All of its newest runs died of a failure that is known by now.</p>
      ) : (
        <ol className="mt-1">
          {examples.map((example) => (
            <Row key={example.links.prowl} example={example} now={now} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Row({ example: { run, failure, links }, now }: { example: Example; now: number }): ReactNode {
  return (
    <li className="border-t border-line py-2 first:border-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Time at={run.time} now={now} />
        <Result result={run.result} />
        <Link href={`/jobs/${encodeURIComponent(run.job)}`} className="break-all text-soft hover:text-accent">
          {run.job}
        </Link>
        <PlaceLinks links={links} className="ml-auto max-sm:ml-0" />
      </div>
      <Link href={links.prowl} className="mt-0.5 block font-mono text-small hover:bg-wash" row>
        <span className="text-accent">
          {failure.log.slice(failure.log.lastIndexOf('/') + 1)}:{failure.line}
        </span>
        <span className="ml-2 line-clamp-2 break-all text-soft">{failure.text}</span>
      </Link>
    </li>
  )
}
