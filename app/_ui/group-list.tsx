import type { ReactNode } from 'react'
import type { GroupPreview } from '#lib/service/group-preview.ts'
import type { GroupRow, GroupsView } from '#lib/service/groups.ts'
import { count, counted, day } from './format.ts'
import { Link } from './link.tsx'
import { groupLink } from './signature-link.ts'
import { Spark } from './spark.tsx'

/** Unexplained failures, a row a group: how many, since when, what they say, where, and the way to a signature. */
export function GroupList({ view, shown }: { view: GroupsView; shown: number }): ReactNode {
  const groups = view.groups.slice(0, shown)
  return (
    <>
      <ol className="mt-1">
        {groups.map((group) => (
          <Group key={group.id} group={group} days={view.window.days} />
        ))}
      </ol>
      {view.unnamed > 0 && (
        <p className="border-t border-line py-2 text-small text-faint">
          {counted(view.unnamed, 'more unknown run')}: their logs name no reason, or they were read before prowl looked
          for one.
        </p>
      )}
    </>
  )
}

function previewWords({ explains, passing, countedFrom }: GroupPreview): string {
  const also = passing > 0 ? `, also hits ${counted(passing, 'passing run')}` : ''
  return `would explain ${countedFrom === undefined ? '' : 'at least '}${count(explains)}${also}`
}

function Group({ group, days }: { group: GroupRow; days: number }): ReactNode {
  const { id, runs, isNew, firstSeen, example, jobs } = group
  const { failure, links } = example
  const [job] = jobs
  const more = jobs.length - 1
  return (
    <li className="grid gap-x-5 gap-y-1 border-t border-line py-2.5 first:border-0 md:grid-cols-[7rem_minmax(0,1fr)_auto]">
      <p className="flex flex-wrap items-baseline gap-x-3 md:block">
        <span className="font-medium">{counted(runs, 'run')}</span>
        {isNew ? (
          <span className="text-alert md:block">● new</span>
        ) : (
          <span className="text-small whitespace-nowrap text-faint md:block">since {day(Date.parse(firstSeen))}</span>
        )}
      </p>
      <div className="min-w-0">
        <Link
          href={groupLink(id)}
          className="line-clamp-3 font-mono text-small break-words text-ink hover:text-accent"
          row
        >
          {failure.text}
        </Link>
        <p className="mt-0.5 flex flex-wrap gap-x-4 text-small text-faint">
          {job && (
            <span className="break-all">
              {job.job}
              {more > 0 && ` and ${counted(more, 'more job')}`}
            </span>
          )}
          <Link href={links.prowl} className="link whitespace-nowrap">
            newest, line {failure.line}
          </Link>
          <Link href={`${groupLink(id)}#proposal`} className="link ">
            propose a signature
            {group.preview && `: ${previewWords(group.preview)}`}
          </Link>
        </p>
      </div>
      <Spark counts={group.days} title={`${counted(runs, 'run')} over ${counted(days, 'day')}`} />
    </li>
  )
}
