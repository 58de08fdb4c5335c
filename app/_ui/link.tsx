import type { Route } from 'next'
import NextLink from 'next/link'
import type { ReactNode } from 'react'

/** A link within the app. Nothing is fetched before it is followed: every page is a query. */
export function Link({
  href,
  children,
  className = 'link',
  current,
  row = false,
  permanent = false,
}: {
  href: string
  children: ReactNode
  className?: string
  /** It leads to what is shown: `page` for the page itself, `true` for a choice on it. */
  current?: 'page' | 'true' | undefined
  /** The keys `j` and `k` stop here. */
  row?: boolean
  /** What the key `c` copies while nothing else is focused: the page's address, lasting. */
  permanent?: boolean
}): ReactNode {
  const marks = { ...(row && { 'data-row': '' }), ...(permanent && { 'data-permanent': '' }) }
  const rest = { className, ...(current && { 'aria-current': current }), ...marks }
  // A line is marked by `:target`, which only the browser's own way of following a link sets.
  if (href.includes('#'))
    return (
      <a href={href} {...rest}>
        {children}
      </a>
    )
  return (
    <NextLink href={href as Route} prefetch={false} {...rest}>
      {children}
    </NextLink>
  )
}

/** A link to elsewhere, told by its arrow. */
export function Away({
  href,
  children,
  className = 'link',
}: {
  href: string
  children: ReactNode
  className?: string
}): ReactNode {
  return (
    <a href={href} rel="noreferrer" className={className}>
      {children}
      <span aria-hidden="true">{'\u00a0↗'}</span>
    </a>
  )
}
