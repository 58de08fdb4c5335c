'use client'

import { type ReactNode, useEffect, useState } from 'react'

const YEAR_SECONDS = 31_536_000

/** Light or dark, kept in a cookie that the server reads; without JavaScript the system’s choice holds. */
export function ThemeToggle(): ReactNode {
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return (
    <button
      type="button"
      onClick={toggle}
      hidden={!ready}
      aria-label="Light or dark"
      title="Light or dark"
      className="cursor-pointer px-1 text-lead leading-none text-soft hover:text-ink"
    >
      ◐
    </button>
  )
}

function toggle(): void {
  const root = document.documentElement
  const dark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : window.matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'light' : 'dark'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers still in use
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
}
