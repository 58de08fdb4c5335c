import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { Keys } from './_ui/keys.client.tsx'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'prowl', template: '%s · prowl' },
  description: 'Where else did this fail, how often does it strike, and did the fix hold: answers from Prow CI logs',
  robots: { index: false },
}

export const viewport: Viewport = { colorScheme: 'light dark' }

/** Reading the cookie also makes every page dynamic, which the nonce of its scripts needs. */
export default async function Layout({ children }: { children: ReactNode }) {
  const theme = (await cookies()).get('theme')?.value
  return (
    <html lang="en" data-theme={theme === 'light' || theme === 'dark' ? theme : undefined} suppressHydrationWarning>
      <body>
        {children}
        <Keys />
      </body>
    </html>
  )
}
