import type { ReactNode } from 'react'
import type { TriageView } from '#lib/service/views.ts'
import { count } from './format.ts'
import { Link } from './link.tsx'
import { type TriageChoice, triageLink } from './triage-link.ts'

const SINCE: readonly (readonly [since: string | undefined, words: string])[] = [
  [undefined, 'yesterday 09:00'],
  ['24h', '24 h ago'],
  ['7d', '7 d ago'],
]

/** Whose failures, and since when: links, each keeping what else is chosen. */
export function TriageChoices({ owners, chosen }: Pick<TriageView, 'owners'> & { chosen: TriageChoice }): ReactNode {
  return (
    <div className="mt-3 flex flex-wrap gap-x-8 gap-y-1 text-small">
      {owners.length > 1 && (
        <Choices name="Owner">
          <Choice to={{ ...chosen, owner: undefined }} current={!chosen.owner}>
            all
          </Choice>
          {owners.map(({ owner, signatures }) => (
            <Choice key={owner} to={{ ...chosen, owner }} current={owner === chosen.owner}>
              {owner} ({count(signatures)})
            </Choice>
          ))}
        </Choices>
      )}
      <Choices name="News since">
        {SINCE.map(([since, words]) => (
          <Choice key={words} to={{ ...chosen, since }} current={since === chosen.since}>
            {words}
          </Choice>
        ))}
        {!SINCE.some(([since]) => since === chosen.since) && (
          <Choice to={chosen} current>
            {chosen.since}
          </Choice>
        )}
      </Choices>
    </div>
  )
}

function Choices({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <nav aria-label={name} className="flex flex-wrap gap-x-3">
      <span className="text-faint">{name}</span>
      {children}
    </nav>
  )
}

function Choice({ to, current, children }: { to: TriageChoice; current: boolean; children: ReactNode }): ReactNode {
  return (
    <Link
      href={triageLink(to)}
      className={current ? 'font-medium text-ink' : 'link'}
      current={current ? 'true' : undefined}
    >
      {children}
    </Link>
  )
}
