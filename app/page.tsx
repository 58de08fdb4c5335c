import type { Metadata } from 'next'
import { type GroupsView, groupsView } from '#lib/service/groups.ts'
import { triage } from '#lib/service/triage.ts'
import type { TriageView } from '#lib/service/views.ts'
import { mutesOf } from '#lib/triage/mutes.ts'
import { coverageHeadline } from './_ui/coverage-words.ts'
import { feedLink } from './_ui/feed-link.ts'
import { counted } from './_ui/format.ts'
import { GroupList } from './_ui/group-list.tsx'
import { Link } from './_ui/link.tsx'
import { load } from './_ui/load.ts'
import { Notice, TroubleNotice } from './_ui/notice.tsx'
import { Page } from './_ui/page.tsx'
import { one } from './_ui/params.ts'
import { ReadingNotice } from './_ui/reading-notice.tsx'
import { TriageChoices } from './_ui/triage-choices.tsx'
import type { TriageChoice } from './_ui/triage-link.ts'
import { TriageNews } from './_ui/triage-news.tsx'
import { TriageTable } from './_ui/triage-table.tsx'

const GROUPS_SHOWN = 8

export const metadata: Metadata = { title: { absolute: 'prowl: triage' }, alternates: feedLink() }

export default async function TriagePage({ searchParams }: PageProps<'/'>) {
  const params = await searchParams
  const chosen = { since: one(params.since), owner: one(params.owner) }
  const loaded = await load(async (ctx) => {
    const [view, groups] = await Promise.all([triage(ctx, chosen), groupsView(ctx)])
    return { view, groups }
  })
  return (
    <Page section="triage">
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <Triage {...loaded.view} chosen={chosen} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

interface TriageProps {
  readonly view: TriageView
  readonly groups: GroupsView
  readonly chosen: TriageChoice
  readonly now: number
}

function Triage({ view, groups, chosen, now }: TriageProps) {
  const { coverage, rows, muted, window } = view
  if (rows.length + muted.length === 0) return <NoSignatures />
  return (
    <>
      <ReadingNotice />
      <h1>{coverageHeadline(coverage)}</h1>
      <TriageNews news={view.news} now={now} />
      <TriageChoices owners={view.owners} chosen={chosen} />
      <CatalogueProblems problems={view.catalogueProblems} />
      {rows.length > 0 && <TriageTable rows={rows} window={window} now={now} />}
      {mutesOf(muted, now).map(({ words, rows: folded }) => (
        <details key={words} className="mt-4">
          <summary>{words}</summary>
          <TriageTable rows={folded} window={window} now={now} />
        </details>
      ))}
      <Unknown groups={groups} />
    </>
  )
}

/** What no signature knows yet, the largest groups first. */
function Unknown({ groups }: { groups: GroupsView }) {
  if (groups.unknown === 0) return null
  return (
    <section className="mt-8" id="unknown">
      <h2>
        Unknown: {counted(groups.unknown, 'run')} in {counted(groups.count, 'group')}
        <Link href="/coverage" className="link ml-4 text-small font-normal">
          all, and coverage by job and day
        </Link>
      </h2>
      <GroupList view={groups} shown={GROUPS_SHOWN} />
    </section>
  )
}

function CatalogueProblems({ problems }: { problems: TriageView['catalogueProblems'] }) {
  if (problems.length === 0) return null
  return (
    <p className="mt-3 text-warn">
      ▲ {counted(problems.length, 'signature file problem')}: some failures are not looked for.{' '}
      <Link href="/status#signatures">See which</Link>
    </p>
  )
}

function NoSignatures() {
  return (
    <Notice title="No failure is known yet">
      <p>
        Known failures are files: put one in <code>signatures/</code> (the schema is in <code>docs/signatures.md</code>)
        and it shows here. Until then, <Link href="/search">search</Link> every log by regex.
      </p>
    </Notice>
  )
}
