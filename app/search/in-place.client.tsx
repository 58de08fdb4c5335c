'use client'

import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'

/** Pages that are taken without being asked for; from then on somebody must want them. */
const UNASKED = 5

/**
 * A link to further lines that puts them here instead: those of `log`, or all of the answer at `from`, and then of the
 * page after it. Without JavaScript, or where that fails, it leads to its `href`. `auto`: also as its place comes near.
 */
export function InPlace({
  href,
  from,
  log,
  auto = false,
  className,
  children,
}: {
  href: string
  from: string
  log?: string
  auto?: boolean
  className: string
  children: ReactNode
}): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const left = useRef(new AbortController())
  const [next, setNext] = useState<string | undefined>(from)
  const [busy, setBusy] = useState(false)
  const [taken, setTaken] = useState(0)

  const take = async (focuses: boolean) => {
    if (!next || busy) return
    setBusy(true)
    try {
      const page = await pageAt(next, left.current.signal)
      const lines = linesOf(page, log)
      place.current?.append(...lines)
      if (focuses) lines[0]?.querySelector<HTMLElement>('[data-row]')?.focus()
      setNext(lines.length > 0 ? (page.querySelector('a[data-next]')?.getAttribute('href') ?? undefined) : undefined)
      setTaken(taken + 1)
      setBusy(false)
    } catch {
      if (!left.current.signal.aborted) location.assign(href)
    }
  }
  useEffect(() => {
    left.current = new AbortController()
    return () => left.current.abort()
  }, [])
  useEffect(() => {
    if (!auto || busy || taken >= UNASKED || !link.current) return
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && void take(false), {
      rootMargin: '300px',
    })
    near.observe(link.current)
    return () => near.disconnect()
  })
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return
    event.preventDefault()
    void take(true)
  }
  return (
    <>
      <div ref={place} />
      {next && (
        <a
          ref={link}
          href={taken === 0 ? href : next}
          className={className}
          onClick={onClick}
          data-next={auto ? '' : undefined}
        >
          {busy ? 'searching on …' : children}
        </a>
      )}
    </>
  )
}

async function pageAt(address: string, signal: AbortSignal): Promise<Document> {
  const answer = await fetch(address, { signal, headers: { accept: 'text/html' } })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

function linesOf(page: Document, log: string | undefined): HTMLElement[] {
  if (log === undefined) return [...page.querySelectorAll<HTMLElement>('[data-lines]')]
  return [...page.querySelectorAll<HTMLElement>('[data-log]')].filter(({ dataset }) => dataset.log === log)
}
