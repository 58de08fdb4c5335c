import type { ReactNode } from 'react'

/** Holds a drawing wider than a phone: it scrolls inside, and opens at its right end, where the newest is. */
export function ScrollFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="frame overflow-x-auto" dir="rtl">
      <div className="w-max p-4" dir="ltr">
        {children}
      </div>
    </div>
  )
}
