import type { ReactNode } from 'react'
import { STATE_WORDS } from '#lib/incident/verdict-words.ts'
import type { Verdict, VerdictState } from '#lib/model/verdict.ts'

/** A shape and a colour beside the word: red is for what needs somebody. */
const LOOKS: Readonly<Record<VerdictState, readonly [mark: string, colour: string]>> = {
  back: ['●', 'text-alert'],
  rarer: ['●', 'text-warn'],
  active: ['●', 'text-ink'],
  unclear: ['?', 'text-warn'],
  'one-pr': ['◌', 'text-faint'],
  quiet: ['○', 'text-soft'],
  holding: ['✓', 'text-good'],
  never: ['–', 'text-faint'],
}

/** What a state means, for who hovers or listens. */
const MEANINGS: Readonly<Record<VerdictState, string>> = {
  back: 'seen again since the change, and not less often than before',
  rarer: 'seen again since the change, less often than before',
  active: 'it strikes, or there is too little quiet yet to tell',
  unclear: 'what would show it is no longer written or read',
  'one-pr': 'one pull request or run only: no rate',
  quiet: 'no change is known, and so long a quiet is hardly chance',
  holding: 'quiet since the change for longer than chance would have it',
  never: 'nothing found yet',
}

export function StateMark({ verdict }: { verdict: Pick<Verdict, 'state'> }): ReactNode {
  const [mark, colour] = LOOKS[verdict.state]
  return (
    <span className={`whitespace-nowrap font-medium ${colour}`} title={MEANINGS[verdict.state]}>
      <span aria-hidden="true">{mark} </span>
      {STATE_WORDS[verdict.state]}
    </span>
  )
}
