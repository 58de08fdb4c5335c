import type { Metadata } from 'next'
import { triage } from '#lib/service/triage.ts'
import type { TriageView } from '#lib/service/views.ts'
import { counted, percent } from './_ui/format.ts'
import { Link } from './_ui/link.tsx'
import { load } from './_ui/load.ts'
import { Notice, TroubleNotice } from './_ui/notice.tsx'
import { Page } from './_ui/page.tsx'
import { ReadingNotice } from './_ui/reading-notice.tsx'
import { TriageTable } from './_ui/triage-table.tsx'

export const metadata: Metadata = { title: { absolute: 'prowl: triage' } }

export default async function TriagePage() {
  const loaded = await load(triage)
  return (
    <Page section="triage">
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <Triage view={loaded.view} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

function Triage({ view, now }: { view: TriageView; now: number }) {
  const { failed, rows, muted, window } = view
  if (rows.length + muted.length === 0) return <NoSignatures />
  return (
    <>
      <ReadingNotice />
      <h1>{headline(failed)}</h1>
      <p className="mt-1 text-soft">{lastDay(rows)}</p>
      <CatalogueProblems problems={view.catalogueProblems} />
      <TriageTable rows={rows} window={window} now={now} />
      {muted.length > 0 && (
        <details className="mt-6">
          <summary>
            Muted: {muted.map(({ signature }) => signature.title).join(' · ')} ({muted.length})
          </summary>
          <TriageTable rows={muted} window={window} now={now} />
        </details>
      )}
    </>
  )
}

function headline({ runs, withHit, days }: TriageView['failed']): string {
  if (runs === 0) return `No failed run in the last ${days} days`
  return `${percent(withHit, runs)} of ${counted(runs, 'failed run')} show a known failure (last ${days} days, aborted and lost apart) · ${counted(runs - withHit, 'run')} unexplained`
}

function lastDay(rows: TriageView['rows']): string {
  const struck = rows.filter(({ hits24h }) => hits24h > 0)
  if (struck.length === 0) return 'In the last 24 hours: none of the known failures struck.'
  return `In the last 24 hours: ${struck.map(({ signature, hits24h }) => `${signature.title} (${counted(hits24h, 'run')})`).join(' · ')}`
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
