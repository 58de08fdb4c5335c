import type { ReactNode } from 'react'

interface ScrollFrameProps {
  /** Which end shows first: of months the newest, of one incident its beginning. */
  readonly opensAt?: 'newest' | 'beginning'
  readonly children: ReactNode
}

/** Holds a drawing wider than a phone: it scrolls inside. */
export function ScrollFrame({ opensAt = 'newest', children }: ScrollFrameProps): ReactNode {
  return (
    <div className="frame overflow-x-auto" dir={opensAt === 'newest' ? 'rtl' : 'ltr'}>
      <div className="w-max p-4" dir="ltr">
        {children}
      </div>
    </div>
  )
}
