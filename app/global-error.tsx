'use client'

import ErrorPage from './error.tsx'
import './globals.css'

export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>This page failed · prowl</title>
        <ErrorPage {...props} />
      </body>
    </html>
  )
}
