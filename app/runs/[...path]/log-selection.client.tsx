'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Selected } from './places.ts'

/**
 * Lines of the log are selected by a click on a number, shift-click or shift and arrows up to another; the address says
 * so, without loading anything. A fragment is never sent: where it names lines beyond the window, the page is asked for
 * them once.
 */
export function LogSelection({ selected }: { selected: Selected | undefined }): ReactNode {
  const [range, setRange] = useState<Selected>()
  const [copied, setCopied] = useState(false)
  const pivot = useRef<number>(undefined)

  useEffect(() => {
    const log = document.getElementById('log')
    if (!log) return
    const show = (shown: Selected | undefined) => {
      mark(log, shown)
      setRange(shown)
      setCopied(false)
    }
    const select = (line: number, extend: boolean) => {
      if (!extend) pivot.current = line
      const from = pivot.current ?? line
      const shown = { from: Math.min(from, line), to: Math.max(from, line) }
      show(shown)
      history.replaceState(history.state, '', addressOf(log, shown))
    }
    const follow = () => {
      const isHere = location.hash === '#here'
      const wanted = namedLines(location.hash) ?? (selected && rowOf(log, selected.from) ? selected : undefined)
      if (!wanted) return isHere ? focusNumber(document.getElementById('here')?.parentElement) : undefined
      const row = rowOf(log, wanted.from)
      if (!row) return ask(log, wanted)
      pivot.current = wanted.from
      show(wanted)
      if (isHere) history.replaceState(history.state, '', addressOf(log, wanted))
      row.scrollIntoView({ block: 'start' })
      focusNumber(row)
    }
    const onClick = (event: MouseEvent) => {
      const line = lineOf(event)
      if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      select(line, event.shiftKey)
      getSelection()?.removeAllRanges()
    }
    const onArrow = (event: KeyboardEvent) => {
      const line = lineOf(event)
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (line === undefined || by === 0 || event.ctrlKey || event.metaKey || event.altKey) return
      const number = rowOf(log, line + by)?.querySelector('a')
      if (!number) return
      event.preventDefault()
      number.focus()
      if (event.shiftKey) {
        pivot.current ??= line
        select(line + by, true)
      }
    }
    follow()
    log.addEventListener('click', onClick)
    log.addEventListener('keydown', onArrow)
    addEventListener('hashchange', follow)
    return () => {
      log.removeEventListener('click', onClick)
      log.removeEventListener('keydown', onArrow)
      removeEventListener('hashchange', follow)
    }
  }, [selected])

  useEffect(() => {
    if (!range) return
    // Before what the key does elsewhere: of lines it copies these.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'c' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      void copy(range).then(setCopied)
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [range])

  if (!range || !navigator.clipboard) return null
  const { from, to } = range
  return (
    <p
      role="status"
      className="frame sticky bottom-2 z-10 mx-auto mt-2 flex w-fit items-center gap-3 px-3 py-1 text-small"
    >
      <span>{from === to ? `line ${from}` : `lines ${from}–${to}`}</span>
      <button
        type="button"
        className="cursor-pointer text-accent hover:underline"
        onClick={() => void copy(range).then(setCopied)}
      >
        {copied ? 'copied' : 'copy link + lines'}
      </button>
      <kbd className="text-faint max-sm:hidden">c</kbd>
    </p>
  )
}

/** `#L12` or `#L12-L20`, the other way round too. */
function namedLines(fragment: string): Selected | undefined {
  const [, first, second] = /^#L([1-9]\d{0,9})(?:-L?([1-9]\d{0,9}))?$/.exec(fragment) ?? []
  if (first === undefined) return undefined
  const [a, b] = [Number(first), Number(second ?? first)]
  return { from: Math.min(a, b), to: Math.max(a, b) }
}

/** Once: an address that names these lines already has shown all there is. */
function ask(log: HTMLElement, wanted: Selected): void {
  const address = addressOf(log, wanted)
  if (address.search !== location.search) location.replace(address)
}

function addressOf(log: HTMLElement, { from, to }: Selected): URL {
  const address = new URL(location.href)
  const { searchParams } = address
  searchParams.set('log', log.dataset.log ?? '')
  searchParams.set('line', String(from))
  searchParams.delete('to')
  searchParams.delete('at')
  if (to > from) searchParams.set('to', String(to))
  address.hash = to > from ? `L${from}-L${to}` : `L${from}`
  return address
}

function rowOf(log: HTMLElement, line: number): HTMLElement | null {
  return log.querySelector(`[data-line="${line}"]`)
}

/** Keys go on from there. */
function focusNumber(row: HTMLElement | null | undefined): void {
  row?.querySelector('a')?.focus({ preventScroll: true })
}

/** Of the number that the event is about. */
function lineOf({ target }: Event): number | undefined {
  if (!(target instanceof Element)) return undefined
  const number = target.closest('a')
  const row = number?.parentElement
  return row?.dataset.line === undefined ? undefined : Number(row.dataset.line)
}

function mark(log: HTMLElement, range: Selected | undefined): void {
  for (const row of log.querySelectorAll<HTMLElement>('[data-line]')) {
    const line = Number(row.dataset.line)
    row.toggleAttribute('data-selected', range !== undefined && line >= range.from && line <= range.to)
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea') !== null
}

/** As people paste it: the address, then the lines. */
async function copy({ from, to }: Selected): Promise<boolean> {
  const log = document.getElementById('log')
  if (!log || !navigator.clipboard) return false
  const lines: string[] = []
  for (const row of log.querySelectorAll<HTMLElement>('[data-line]')) {
    const line = Number(row.dataset.line)
    if (line >= from && line <= to) lines.push(row.querySelector('[data-text]')?.textContent ?? '')
  }
  await navigator.clipboard.writeText([addressOf(log, { from, to }).href, ...lines, ''].join('\n'))
  return true
}
