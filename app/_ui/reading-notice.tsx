import type { ReactNode } from 'react'
import { freshness } from '#lib/service/status.ts'
import { count, counted, percent } from './format.ts'
import { load } from './load.ts'

/** Above pages whose figures are still too small, while the first pass runs or before any. */
export async function ReadingNotice(): Promise<ReactNode> {
  const { view } = await load(freshness)
  if (!view || view.readTo !== undefined) return null
  const { progress, state } = view
  return (
    <section className="frame mb-6 max-w-2xl border-warn/50 px-5 py-3">
      <p className="font-medium">
        {state === 'never' ? 'Nothing read yet' : 'Still reading: every figure below grows'}
      </p>
      <p className="text-soft">
        {progress && progress.total > 0 ? (
          <>
            The worker has read {count(progress.done)} of {counted(progress.total, 'run')} (
            {percent(progress.done, progress.total)}
            ). Load this page again to see more.
          </>
        ) : (
          <>
            No worker has reported yet. Start one with <code>npm start -- --bucket gs://NAME</code> or{' '}
            <code>npm run ingest -- --bucket gs://NAME</code>, on the same data directory.
          </>
        )}
      </p>
    </section>
  )
}
