'use client'

import { type ReactNode, useEffect, useState } from 'react'

/** Copies an address of this site, made absolute, or a text. Says so in place; without JavaScript there is nothing to press. */
export function CopyButton({
  address,
  text,
  word = 'copy',
  className = 'cursor-pointer text-soft hover:text-accent',
}: ({ address: string; text?: undefined } | { text: string; address?: undefined }) & {
  word?: string
  className?: string
}): ReactNode {
  const [state, setState] = useState<'absent' | 'ready' | 'copied'>('absent')
  useEffect(() => {
    if (navigator.clipboard) setState('ready')
  }, [])
  if (state === 'absent') return null
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        const copied = text ?? new URL(address ?? '', location.href).href
        void navigator.clipboard.writeText(copied).then(() => setState('copied'))
      }}
    >
      {state === 'copied' ? 'copied' : word}
    </button>
  )
}
