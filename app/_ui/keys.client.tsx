'use client'

import { useEffect } from 'react'

/**
 * `/` focuses the search box, `j` and `k` move over the page's rows (Enter follows the focused one, as ever), `n` and
 * `p` over a log's hits or what was found in it, beyond the lines shown too, `c` copies the link of what is focused, else the page's, with absolute times where it has one.
 */
export function Keys(): null {
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    // From here on keys are heard: whoever drives a browser waits for it.
    document.documentElement.dataset.scripted = ''
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return null
}

const KEYS: Readonly<Record<string, () => boolean>> = {
  '/': () => focusOn(document.querySelector<HTMLElement>('[data-focus="/"]')),
  j: () => step('[data-row]', 1),
  k: () => step('[data-row]', -1),
  n: () => step('[data-hit]', 1) || beyond('stopBelow'),
  p: () => step('[data-hit]', -1) || beyond('stopAbove'),
  c: copyLink,
}

function onKey(event: KeyboardEvent): void {
  const { target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (target instanceof HTMLElement && target.closest('input, select, textarea')) {
    if (event.key === 'Escape') target.blur()
    return
  }
  if (KEYS[event.key]?.()) event.preventDefault()
}

function step(selector: string, by: 1 | -1): boolean {
  // What is folded away takes no focus, and would hold up the keys there.
  const rows = [...document.querySelectorAll<HTMLElement>(selector)].filter((row) => row.checkVisibility())
  const active = document.activeElement
  const at = rows.findIndex((row) => row.isSameNode(active))
  const next = at >= 0 ? at + by : by > 0 ? firstAfter(rows, active) : lastBefore(rows, active)
  return focusOn(rows[next])
}

/** To the page that the next one is on. */
function beyond(which: 'stopAbove' | 'stopBelow'): boolean {
  const address = document.querySelector<HTMLElement>('[data-stop-above], [data-stop-below]')?.dataset[which]
  if (address !== undefined) location.assign(address)
  return address !== undefined
}

/** From wherever the focus is, so that the keys take up where the pointer left. */
function firstAfter(rows: readonly HTMLElement[], active: Element | null): number {
  if (!active || active === document.body) return 0
  return rows.findIndex((row) => active.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING)
}

function lastBefore(rows: readonly HTMLElement[], active: Element | null): number {
  if (!active || active === document.body) return rows.length - 1
  return rows.findLastIndex((row) => active.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING)
}

function focusOn(element: HTMLElement | null | undefined): boolean {
  if (!element) return false
  element.focus()
  element.scrollIntoView({ block: 'nearest' })
  if (element instanceof HTMLInputElement) element.select()
  return true
}

function copyLink(): boolean {
  const active = document.activeElement
  const link =
    active instanceof HTMLAnchorElement ? active : document.querySelector<HTMLAnchorElement>('a[data-permanent]')
  void navigator.clipboard?.writeText(link?.href ?? location.href)
  return true
}
