'use client'

import { useEffect } from 'react'

/** Clicking a line's number selects it, shift-click up to it, and the address says so, without loading anything. */
export function LogSelection(): null {
  useEffect(() => {
    const log = document.getElementById('log')
    if (!log) return
    const onClick = (event: MouseEvent) => select(log, event)
    log.addEventListener('click', onClick)
    return () => log.removeEventListener('click', onClick)
  }, [])
  return null
}

function select(log: HTMLElement, event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return
  const anchor = event.target.closest('a')
  const line = Number(anchor?.closest<HTMLElement>('[data-line]')?.dataset.line)
  if (!anchor || !line) return
  event.preventDefault()
  const from = event.shiftKey ? (firstSelected(log) ?? line) : line
  const [first, last] = [Math.min(from, line), Math.max(from, line)]
  for (const row of log.querySelectorAll<HTMLElement>('[data-line]')) {
    const number = Number(row.dataset.line)
    row.toggleAttribute('data-selected', number >= first && number <= last)
  }
  const address = new URL(anchor.href)
  address.searchParams.set('line', String(first))
  if (last > first) address.searchParams.set('to', String(last))
  address.hash = `L${first}`
  history.replaceState(history.state, '', address)
  getSelection()?.removeAllRanges()
}

function firstSelected(log: HTMLElement): number | undefined {
  return Number(log.querySelector<HTMLElement>('[data-selected]')?.dataset.line) || undefined
}
