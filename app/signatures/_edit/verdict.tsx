import type { ReactNode } from 'react'
import type { EditAnswer, EditChange, EditView } from '#lib/service/edit-view.ts'
import { count, counted, moment } from '../../_ui/format.ts'
import { changes } from './edit-answer.tsx'

const SENTENCES = 3

/** The answer in words, before anything listed. */
export function Verdict({ view, tried }: { view: EditView; tried: boolean }): ReactNode {
  const { same, problems, moreProblems = 0, error, answer } = view
  if (!tried || same)
    return (
      <p className="mt-1.5 max-w-[64rem] text-lead text-pretty">
        {same && 'This is what the file has: nothing would change. '}
        Change the YAML to see which runs it would gain and lose.
      </p>
    )
  if (error) return <Refused>{`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`}</Refused>
  if (problems.length > 0)
    return <Refused>The edit can’t be tried: {counted(problems.length + moreProblems, 'fault')}, listed below.</Refused>
  return answer ? <Compared answer={answer} id={view.signature?.id} /> : null
}

function Refused({ children }: { children: ReactNode }): ReactNode {
  return (
    <p role="alert" className="mt-1.5 max-w-[64rem] border-l-2 border-alert pl-4 text-lead text-pretty">
      {children}
    </p>
  )
}

function Compared({ answer, id }: { answer: EditAnswer; id: string | undefined }): ReactNode {
  const { previews, runs, expired, leftOut, partial, comparedFrom, stale } = answer
  if (previews.length === 0)
    return (
      <p className="mt-1.5 max-w-[64rem] text-lead text-pretty">
        No change: no rule differs, so no run would be gained or lost.
      </p>
    )
  const gone = expired === 0 ? '' : ` Of ${counted(expired, 'run')} nothing is known: their text is kept no longer.`
  return (
    <div className="max-w-[64rem] text-pretty">
      <p className="mt-1.5 text-lead">{sentences(previews, id).join(' ')}</p>
      <p className="text-soft">
        {counted(runs, 'run')} compared.{gone}
      </p>
      {partial && (
        <Warning>
          {comparedFrom === undefined
            ? 'Time was over before any run was compared; try again, or with patterns that are rarer.'
            : `Time was over: only runs back to ${moment(comparedFrom)} UTC were compared. Older ones may be gained or lost, too.`}
        </Warning>
      )}
      {leftOut > 0 && (
        <Warning>
          {counted(leftOut, 'run')} left out: a pattern came to no end on {leftOut === 1 ? 'it' : 'them'}, or the text
          is damaged.
        </Warning>
      )}
      {stale.length > 0 && (
        <Warning>
          The worker has not yet looked everywhere for today’s {stale.join(', ')}: compared with what it has found so
          far.
        </Warning>
      )}
    </div>
  )
}

/** Of the signature that was opened, else of the first few; that others change is said, and which is listed below. */
function sentences(previews: readonly EditChange[], id: string | undefined): string[] {
  const opened = previews.filter(({ signature }) => signature === id)
  const told = opened.length > 0 ? opened : previews.slice(0, SENTENCES)
  const others = previews.filter((one) => !told.includes(one) && changes(one)).length
  return [...told.map(sentence), ...(others > 0 ? [`${counted(others, 'other signature')} would change, too.`] : [])]
}

function sentence({ title, why, gained, lost, kept }: EditChange): string {
  const some = (n: number) => (n === 0 ? 'none' : counted(n, 'run'))
  const stays = kept === 1 ? '1 stays' : `${count(kept)} stay`
  if (why === 'new')
    return `“${title}” would be found in ${gained.count === 0 ? 'no run' : counted(gained.count, 'run')}.`
  if (why === 'removed') return `“${title}” would be no more, and ${counted(lost.count, 'run')} with it.`
  if (gained.count === 0 && lost.count === 0) return `No change: “${title}” would gain no run and lose none; ${stays}.`
  return `“${title}” would gain ${some(gained.count)} and lose ${some(lost.count)}; ${stays}.`
}

function Warning({ children }: { children: ReactNode }): ReactNode {
  return <p className="text-warn">▲ {children}</p>
}
