import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import type { Trouble } from './load.ts'

/** What there is instead of content: what happened, then what to do. */
export function Notice({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <section className="frame max-w-2xl px-5 py-4">
      <h1 className="text-lead">{title}</h1>
      <div className="mt-1 space-y-2 text-soft">{children}</div>
    </section>
  )
}

export function TroubleNotice({ trouble }: { trouble: Trouble }): ReactNode {
  return (
    <Notice title={trouble.code === 'QUERY_INVALID' ? 'This address can’t be answered' : 'The data can’t be read'}>
      <p>{trouble.message}.</p>
      <p>
        <code>{trouble.code}</code> is explained in <code>docs/errors.md</code>; what has been read is listed on the{' '}
        <Link href="/status">status page</Link>.
      </p>
    </Notice>
  )
}
