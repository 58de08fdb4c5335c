import type { ReactNode } from 'react'

/** Keeps what the page answers under a link for good. A form: it works without JavaScript, and twice does no harm. */
export function FreezeButton({ what, value }: { what: 'query' | 'signature' | 'incident'; value: string }): ReactNode {
  return (
    <form method="post" action="/e" className="print:hidden">
      <input type="hidden" name={what} value={value} />
      <button type="submit" className="button" title="Keeps this answer, with its lines, under a short link for good">
        Freeze as evidence
      </button>
    </form>
  )
}
