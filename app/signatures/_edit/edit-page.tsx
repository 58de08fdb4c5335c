import type { ReactNode } from 'react'
import { editView } from '#lib/service/edit.ts'
import type { EditView } from '#lib/service/edit-view.ts'
import { Link } from '../../_ui/link.tsx'
import { load } from '../../_ui/load.ts'
import { TroubleNotice } from '../../_ui/notice.tsx'
import { Page } from '../../_ui/page.tsx'
import { ReadingNotice } from '../../_ui/reading-notice.tsx'
import { editLink, signatureLink } from '../../_ui/signature-link.ts'
import { EditAnswer } from './edit-answer.tsx'
import { EditForm } from './edit-form.tsx'
import { Paste } from './paste.tsx'
import { Verdict } from './verdict.tsx'

/** What an edit would change. A page is only ever read: the edit is in its address. */
export async function EditPage({ id, yaml }: { id?: string; yaml: string | undefined }): Promise<ReactNode> {
  const loaded = await load((ctx) => editView(ctx, id, { yaml }))
  return (
    <Page>
      {loaded.trouble ? (
        <TroubleNotice trouble={loaded.trouble} />
      ) : (
        <Edit view={loaded.view} path={editLink(id)} tried={yaml !== undefined} now={loaded.ctx.now()} />
      )}
    </Page>
  )
}

function Edit({ view, path, tried, now }: { view: EditView; path: string; tried: boolean; now: number }): ReactNode {
  const { signature, answer, paste } = view
  return (
    <>
      <ReadingNotice />
      {signature && (
        <p className="text-small text-faint">
          An edit of <Link href={signatureLink(signature.id)}>{signature.title}</Link>
        </p>
      )}
      <h1>{signature ? 'Try an edit' : 'Try a new signature'}</h1>
      <Verdict view={view} tried={tried} />
      <EditForm view={view} path={path} tried={tried} />
      {answer && <EditAnswer answer={answer} now={now} />}
      {paste !== undefined && <Paste view={view} text={paste} />}
    </>
  )
}
