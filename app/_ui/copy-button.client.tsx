'use client'

import { type ReactNode, useEffect, useState } from 'react'

/** Copies an address of this site, made absolute. Says so in place; without JavaScript there is nothing to press. */
export function CopyButton({ text, word = 'copy' }: { text: string; word?: string }): ReactNode {
  const [state, setState] = useState<'absent' | 'ready' | 'copied'>('absent')
  useEffect(() => {
    if (navigator.clipboard) setState('ready')
  }, [])
  if (state === 'absent') return null
  return (
    <button
      type="button"
      className="cursor-pointer text-soft hover:text-accent"
      onClick={() => {
        void navigator.clipboard.writeText(new URL(text, location.href).href).then(() => setState('copied'))
      }}
    >
      {state === 'copied' ? 'copied' : word}
    </button>
  )
}
