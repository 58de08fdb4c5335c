import type { Metadata } from 'next'
import { cache } from 'react'
import { timeline } from '#lib/chart/timeline.ts'
import { STATE_WORDS } from '#lib/incident/verdict-words.ts'
import { type FiguresView, figuresView } from '#lib/service/figures.ts'
import { signatureView } from '#lib/service/signature.ts'
import type { SignatureView } from '#lib/service/views.ts'
import { siteOfPage } from '../../_server/site.ts'
import { cursorOf } from '../../_ui/cursor.ts'
import { feedLink } from '../../_ui/feed-link.ts'
import { load } from '../../_ui/load.ts'
import { TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { one } from '../../_ui/params.ts'
import { pasted } from '../../_ui/pasted.ts'
import { ReadingNotice } from '../../_ui/reading-notice.tsx'
import { rulesOf } from '../../_ui/rules-of.ts'
import { signatureLink } from '../../_ui/signature-link.ts'
import { Causes } from './causes.tsx'
import { Definition } from './definition.tsx'
import { About, Head } from './head.tsx'
import { NewestHits } from './newest-hits.tsx'
import { ScorecardSection } from './scorecard.tsx'
import { Shares } from './shares.tsx'
import { TimelineFigure } from './timeline-figure.tsx'

export async function generateMetadata({ params, searchParams }: PageProps<'/signatures/[id]'>): Promise<Metadata> {
  const id = decodeURIComponent((await params).id)
  const query = await searchParams
  const { view } = await viewOf(id, one(query.cause), one(query.after))
  if (!view) return { title: id }
  const { signature, verdict, sentences } = view
  const headline = `${signature.title}: ${STATE_WORDS[verdict.state]}`
  const head = await pasted({
    title: signature.title,
    headline,
    description: sentences.join(' '),
    path: signatureLink(signature.id),
    picture: { path: `/og?${new URLSearchParams({ signature: signature.id })}`, alt: `${headline}. ${sentences[0]}` },
  })
  return { ...head, alternates: feedLink(signature.id) }
}

/** Once for the page and its head. */
const viewOf = cache((id: string, cause: string | undefined, after: string | undefined) => {
  const cursor = cursorOf(after)
  return load((ctx) => signatureView(ctx, id, { ...(cause && { cause }), ...(cursor && { after: cursor }) }))
})

export default async function SignaturePage({ params, searchParams }: PageProps<'/signatures/[id]'>) {
  const id = decodeURIComponent((await params).id)
  const query = await searchParams
  const cause = one(query.cause)
  const [loaded, figures, site] = await Promise.all([
    viewOf(id, cause, one(query.after)),
    load((ctx) => figuresView(ctx, id)),
    siteOfPage(),
  ])
  const trouble = loaded.trouble ?? figures.trouble
  return (
    <Page>
      {trouble ? (
        <TroubleNotice trouble={trouble} />
      ) : (
        loaded.view &&
        figures.view && (
          <Signature view={loaded.view} figures={figures.view} cause={cause} site={site} now={loaded.ctx.now()} />
        )
      )}
    </Page>
  )
}

interface SignatureProps {
  readonly view: SignatureView
  readonly figures: FiguresView
  readonly cause: string | undefined
  readonly site: string
  readonly now: number
}

function Signature({ view, figures, cause, site, now }: SignatureProps) {
  const chart = timeline(
    {
      window: view.window,
      incidents: view.incidents,
      changes: rulesOf(view),
      days: view.days,
      continuous: view.cadence.continuous,
      ...(view.completeTo !== undefined && { completeTo: view.completeTo }),
    },
    1150,
  )
  return (
    <>
      <ReadingNotice />
      <Head view={view} />
      <TimelineFigure view={view} chart={chart} site={site} />
      <About view={view} />
      <Causes view={view} cause={cause} />
      <Shares view={figures} />
      <ScorecardSection view={figures} now={now} />
      <NewestHits view={view} cause={cause} now={now} />
      <Definition signature={view.signature} />
    </>
  )
}
