import type { ReactNode } from 'react'
import type { BucketStatus } from '#lib/service/views.ts'
import { Figures } from '../_ui/figures.tsx'
import { bytes, count, counted, day, duration } from '../_ui/format.ts'
import { Time } from '../_ui/time.tsx'

/** How the reading of each bucket stands: how far its data reaches, how runs are found, what it costs, what is missing. */
export function Buckets({ buckets, now }: { buckets: readonly BucketStatus[]; now: number }): ReactNode {
  return (
    <section>
      <h2>Buckets</h2>
      {buckets.length === 0 && <p className="text-soft">None has been read.</p>}
      {buckets.map((bucket) => (
        <Bucket key={bucket.bucket} bucket={bucket} now={now} />
      ))}
    </section>
  )
}

function Bucket({ bucket, now }: { bucket: BucketStatus; now: number }) {
  const { worker, completeTo, lag, lastPass, error, backfill, discovery } = bucket
  return (
    <div className="space-y-2 border-b border-line py-2 last:border-0">
      <h3 className="font-mono text-small break-all">{bucket.bucket}</h3>
      <p className="text-soft">
        {lastPass === undefined ? (
          'first pass under way'
        ) : (
          <>
            last whole pass <Time at={lastPass} now={now} />
          </>
        )}
        {completeTo !== undefined && lag !== undefined && (
          <>
            , complete for runs started before <Time at={completeTo} />, {duration(lag)} behind
          </>
        )}
        {worker !== undefined && `; read by ${worker}`}
      </p>
      {error && <p className="text-warn">▲ {error}</p>}
      {backfill && (
        <p className="text-soft">
          backfill of {day(backfill.from)} to {day(backfill.to)}: {count(backfill.done)} of{' '}
          {counted(backfill.total, 'run')}
          {backfill.finishedAt === undefined ? ', to be gone on with' : ', done'}
        </p>
      )}
      {discovery.length > 0 && <Discovery bucket={bucket} />}
      <Costs bucket={bucket} />
      <Gaps gaps={bucket.gaps} />
    </div>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  deck: "Deck's ProwJobs",
  index: 'the bucket’s index',
  listing: 'listing the bucket',
}

function Discovery({ bucket: { discovery, cursors } }: { bucket: BucketStatus }) {
  return (
    <ul className="text-soft">
      {discovery.map(({ kind, runs, from, error, skipped = {} }) => (
        <li key={kind} className={error === undefined ? undefined : 'text-warn'}>
          {error === undefined ? (
            <>
              {KINDS[kind] ?? kind}: {counted(runs, 'run')}
              {from !== undefined && from > 0 && (
                <>
                  {' '}
                  since <Time at={from} />
                </>
              )}
              {Object.keys(skipped).length > 0 && `; passed over: ${skippedWords(skipped)}`}
            </>
          ) : (
            `▲ ${KINDS[kind] ?? kind}: ${error}`
          )}
          {cursors[kind] !== undefined && (
            <>
              , complete to <Time at={cursors[kind]} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function skippedWords(skipped: Readonly<Record<string, number>>): string {
  return Object.entries(skipped)
    .map(([why, runs]) => `${count(runs)} ${why}`)
    .join(', ')
}

function Costs({ bucket: { queue, retrying, givenUp, traffic } }: { bucket: BucketStatus }) {
  const runs: readonly (readonly [string, string])[] = [
    ['runs waiting', count(queue)],
    ['runs to be tried again', count(retrying)],
    ['runs given up', count(givenUp)],
  ]
  if (!traffic || traffic.requests === 0) return <Figures figures={runs} />
  const requests: readonly (readonly [string, string])[] = [
    ['requests', count(traffic.requests)],
    ['requests tried again', count(traffic.retries)],
    ['told to slow down (429, 503)', count(traffic.throttled)],
    ['requests given up', count(traffic.failed)],
    ['transferred', bytes(traffic.bytes)],
  ]
  return <Figures figures={[...runs, ...requests]} caption="Requests are counted since the worker began." />
}

const SHOWN = 20

function Gaps({ gaps }: { gaps: BucketStatus['gaps'] }) {
  if (gaps.length === 0) return <p className="text-soft">No gaps: it was watched all the time.</p>
  return (
    <div>
      <h4 className="text-small">Gaps in watching</h4>
      <ul>
        {gaps.slice(0, SHOWN).map(({ from, to, why, detail, filledAt }) => (
          <li key={`${from} ${to} ${why} ${detail}`} className={filledAt === undefined ? 'text-warn' : 'text-soft'}>
            {filledAt === undefined && '▲ '}
            {from > 0 ? <Time at={from} /> : 'the beginning'} to <Time at={to} />: {detail};{' '}
            {filledAt === undefined ? (
              'runs may be missing'
            ) : (
              <>
                made up for <Time at={filledAt} />
              </>
            )}
          </li>
        ))}
      </ul>
      {gaps.length > SHOWN && <p className="text-soft">and {counted(gaps.length - SHOWN, 'earlier one')}</p>}
    </div>
  )
}
