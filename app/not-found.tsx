import { Link } from './_ui/link.tsx'
import { Notice } from './_ui/notice.tsx'
import { Page } from './_ui/page.tsx'

export default function NotFound() {
  return (
    <Page>
      <Notice title="There is no such page">
        <p>
          A run may not have been read yet, or its job may be left out: the <Link href="/status">status page</Link> says
          how far the data reaches. Signatures are listed on the <Link href="/">triage page</Link>.
        </p>
      </Notice>
    </Page>
  )
}
