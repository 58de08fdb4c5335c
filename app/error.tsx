'use client'

/** A fault of ours; what a reader can mend is told on the page itself. */
export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : undefined
  return (
    <main className="mx-auto max-w-2xl px-4 py-16">
      <h1>This page failed</h1>
      <p className="mt-2 text-soft">
        The fault is in prowl, not in your query. The server’s log has it
        {digest && (
          <>
            {' '}
            under digest <code className="text-ink">{digest}</code>
          </>
        )}
        .
      </p>
      <p className="mt-4 flex items-center gap-4">
        <button type="button" onClick={() => retry()} className="button">
          Try again
        </button>
        <a href="/status" className="link">
          Status
        </a>
      </p>
    </main>
  )
}
