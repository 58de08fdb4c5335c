import type { ReactNode } from 'react'
import type { RunResult } from '#lib/model/run.ts'

// Shape and word, no colour: nearly everything here failed, and red is for what needs someone.
const RESULTS: Readonly<Record<RunResult, { shape: string; word: string }>> = {
  success: { shape: '○', word: 'passed' },
  failure: { shape: '■', word: 'failed' },
  error: { shape: '▲', word: 'error' },
  aborted: { shape: '◇', word: 'aborted' },
  pending: { shape: '…', word: 'pending' },
  lost: { shape: '?', word: 'lost' },
}

export function resultWord(result: RunResult): string {
  return RESULTS[result].word
}

export function Result({ result }: { result: RunResult }): ReactNode {
  const { shape, word } = RESULTS[result]
  const weight = result === 'failure' || result === 'error' ? 'text-ink' : 'text-soft'
  return (
    <span className={`whitespace-nowrap ${weight}`}>
      <span aria-hidden="true" className="inline-block w-[1.1em] text-[0.8em]">
        {shape}
      </span>
      {word}
    </span>
  )
}
