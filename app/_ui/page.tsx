import type { ReactNode } from 'react'
import { freshness } from '#lib/service/status.ts'
import { FreshnessLine } from './freshness-line.tsx'
import { Header, type Section } from './header.tsx'
import { load } from './load.ts'

/** The frame of every page. `wide` takes the whole window, for logs; `box` is false where the page has its own. */
export async function Page({
  section,
  wide = false,
  box = true,
  children,
}: {
  section?: Section
  wide?: boolean
  box?: boolean
  children: ReactNode
}): Promise<ReactNode> {
  const fresh = await load(freshness)
  const width = wide ? 'max-w-[112rem]' : 'max-w-[77rem]'
  return (
    <div className={`mx-auto ${width} px-4 pb-16 sm:px-6`}>
      <Header section={section} box={box} />
      <FreshnessLine fresh={fresh} />
      <main id="main" className="mt-6">
        {children}
      </main>
    </div>
  )
}
