import type { Metadata } from 'next'
import { timeline } from '#lib/chart/timeline.ts'
import { type FiguresView, figuresView } from '#lib/service/figures.ts'
import { findSignature, signatureView } from '#lib/service/signature.ts'
import type { SignatureView } from '#lib/service/views.ts'
import { cursorOf } from '../../_ui/cursor.ts'
import { feedLink } from '../../_ui/feed-link.ts'
import { load } from '../../_ui/load.ts'
import { TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { one } from '../../_ui/params.ts'
import { ReadingNotice } from '../../_ui/reading-notice.tsx'
import { Causes } from './causes.tsx'
import { Definition } from './definition.tsx'
import { About, Head } from './head.tsx'
import { NewestHits } from './newest-hits.tsx'
import { ScorecardSection } from './scorecard.tsx'
import { Shares } from './shares.tsx'
import { TimelineFigure } from './timeline-figure.tsx'

export async function generateMetadata({ params }: PageProps<'/signatures/[id]'>): Promise<Metadata> {
  const id = decodeURIComponent((await params).id)
  const loaded = await load(async (ctx) => findSignature(await ctx.catalogue(), id))
  return { title: loaded.view?.title ?? id, alternates: feedLink(loaded.view?.id ?? id) }
}

export default async function SignaturePage({ params, searchParams }: PageProps<'/signatures/[id]'>) {
  const id = decodeURIComponent((await params).id)
  const query = await searchParams
  const cause = one(query.cause)
  const after = cursorOf(one(query.after))
  const loaded = await load(async (ctx) => {
    const options = { ...(cause && { cause }), ...(after && { after }) }
    const [view, figures] = await Promise.all([signatureView(ctx, id, options), figuresView(ctx, id)])
    return { view, figures }
  })
  return (
    <Page>
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <Signature {...loaded.view} cause={cause} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

interface SignatureProps {
  readonly view: SignatureView
  readonly figures: FiguresView
  readonly cause: string | undefined
  readonly now: number
}

function Signature({ view, figures, cause, now }: SignatureProps) {
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
      <TimelineFigure view={view} chart={chart} />
      <About view={view} />
      <Causes view={view} cause={cause} />
      <Shares view={figures} />
      <ScorecardSection view={figures} now={now} />
      <NewestHits view={view} cause={cause} now={now} />
      <Definition signature={view.signature} />
    </>
  )
}

/** Changes, and the moment from which the rules of today were looked for. */
function rulesOf({ changes, evaluatedFrom }: SignatureView): SignatureView['changes'] {
  return evaluatedFrom === undefined ? changes : [...changes, { at: evaluatedFrom, title: 'looked for from here on' }]
}
