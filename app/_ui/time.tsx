import type { ReactNode } from 'react'
import { age, moment } from './format.ts'

/** A moment, its age beside it where `now` is given. */
export function Time({ at, now }: { at: number; now?: number }): ReactNode {
  return (
    <>
      <time dateTime={new Date(at).toISOString()} className="whitespace-nowrap">
        {moment(at)}
      </time>
      {now !== undefined && <span className="whitespace-nowrap text-faint"> {age(at, now)}</span>}
    </>
  )
}
