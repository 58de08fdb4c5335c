import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { dataWords, filters, headline } from '#lib/evidence/words.ts'
import { evidenceView, findEvidence } from '#lib/service/evidence.ts'
import type { EvidenceView } from '#lib/service/evidence-view.ts'
import { originOf } from '../../_server/guard.ts'
import { readerSignal } from '../../_server/reader.ts'
import { Link } from '../../_ui/link.tsx'
import { load } from '../../_ui/load.ts'
import { TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { pasted } from '../../_ui/pasted.ts'
import { Time } from '../../_ui/time.tsx'
import { ForBug, Texts } from './for-bug.tsx'
import { FrozenRuns } from './frozen-runs.tsx'
import { ThenAndNow } from './then-and-now.tsx'

export async function generateMetadata({ params }: PageProps<'/e/[id]'>): Promise<Metadata> {
  const { id } = await params
  const { view } = await load((ctx) => findEvidence(ctx, id))
  if (!view) return { title: 'Evidence' }
  const [title, description] = headline(view)
  return await pasted({
    title,
    description,
    path: `/e/${view.id}`,
    picture: { path: `/og?evidence=${view.id}`, alt: `${title}. ${description}` },
  })
}

export default async function EvidencePage({ params }: PageProps<'/e/[id]'>) {
  const { id } = await params
  const origin = originOf(await headers())
  const loaded = await load((ctx) => evidenceView(ctx, id, { origin, signal: readerSignal() }))
  return <Page>{loaded.trouble ? <TroubleNotice trouble={loaded.trouble} /> : <Evidence view={loaded.view} />}</Page>
}

const ASKED = { search: 'a search', signature: 'a signature', incident: 'an incident' } as const

function Evidence({ view }: { view: EvidenceView }) {
  const { evidence, source, headline: words } = view
  const { asked } = evidence.content
  const narrowed = filters(evidence)
  return (
    <article>
      <header>
        <p className="text-small text-faint">
          Evidence, frozen <Time at={evidence.frozenAt} now={view.now.at} />, of{' '}
          <Link href={source}>{ASKED[asked.kind]}</Link>
        </p>
        <h1 className="break-words">{words[0]}</h1>
        <p className="mt-1 max-w-[64rem] text-soft">
          {asked.kind === 'incident' ? 'Struck' : 'Runs'} from <Time at={evidence.range.from} /> to{' '}
          <Time at={evidence.range.to} /> UTC
          {narrowed && <span className="break-all">, {narrowed}</span>}. The data was then {dataWords(evidence)}.
        </p>
      </header>
      <ThenAndNow view={view} />
      {evidence.sentences.length > 0 && (
        <p className="mt-4 max-w-[64rem] text-soft">
          <span className="text-faint">Its page said then: </span>
          {evidence.sentences.join(' ')}
        </p>
      )}
      <ForBug view={view} />
      <FrozenRuns view={view} />
      <Texts view={view} />
      <Rules evidence={evidence} />
    </article>
  )
}

/** The signature's rules as they were. */
function Rules({ evidence: { content } }: { evidence: EvidenceView['evidence'] }) {
  const [frozen] = content.definitions
  if (!frozen) return null
  const rows = [
    ['regexes', frozen.regexes],
    ['not', frozen.excludes],
    ['not in jobs', frozen.excludeJobs],
    ['causes', frozen.causes.map(({ title, regex }) => `${title}: ${regex}`)],
    ['witness', frozen.witness === undefined ? [] : [frozen.witness]],
  ] as const
  return (
    <details className="mt-6 print:hidden">
      <summary>The signature’s rules as they were</summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 text-small">
        {rows.map(
          ([name, patterns]) =>
            patterns.length > 0 && (
              <div key={name} className="contents">
                <dt className="text-faint">{name}</dt>
                <dd>
                  {patterns.map((pattern) => (
                    <code key={pattern} className="block break-all">
                      {pattern}
                    </code>
                  ))}
                </dd>
              </div>
            ),
        )}
      </dl>
    </details>
  )
}
