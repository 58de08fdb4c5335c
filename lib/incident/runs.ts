import pLimit from 'p-limit'
import type { Run, RunKey } from '../model/run.ts'
import type { OrderKey, Paged, RunFilter, Store } from '../store/store.ts'

/** Hits further apart than this are looked up by themselves, so that what is read grows with incidents, not with runs. */
const STRETCH_MS = 6 * 3_600_000
const PAGE = 1000
const lookUps = pLimit(4)

/** A run's key as one text, for maps. */
export function runText(run: RunKey): string {
  return `${run.bucket}/${run.path}`
}

/** The runs of `hits` (anything that names a run, its job and its time), in one filtered read a stretch of time. */
export async function runsOfHits(
  store: Pick<Store, 'runs'>,
  hits: readonly (RunKey & { readonly job: string; readonly time: number })[],
): Promise<Map<string, Run>> {
  const wanted = new Set(hits.map(runText))
  const found = new Map<string, Run>()
  await Promise.all(
    stretches(hits).map((filter) =>
      lookUps(async () => {
        for await (const run of allPages((page) => store.runs(filter, page), PAGE)) {
          if (wanted.has(runText(run))) found.set(runText(run), run)
        }
      }),
    ),
  )
  return found
}

function stretches(hits: readonly { readonly job: string; readonly time: number }[]): RunFilter[] {
  const drafts: { from: number; to: number; jobs: Set<string> }[] = []
  for (const { job, time } of [...hits].sort((a, b) => a.time - b.time)) {
    const last = drafts.at(-1)
    if (last && time - last.to <= STRETCH_MS) {
      last.to = time + 1
      last.jobs.add(job)
    } else drafts.push({ from: time, to: time + 1, jobs: new Set([job]) })
  }
  return drafts.map((draft) => ({ ...draft, jobs: [...draft.jobs] }))
}

/** Every item of a paged read, a page at a time. */
export async function* allPages<T>(
  read: (page: { limit: number; after?: OrderKey }) => Promise<Paged<T>>,
  limit: number,
): AsyncGenerator<T> {
  let after: OrderKey | undefined
  do {
    const page = await read(after ? { limit, after } : { limit })
    yield* page.items
    after = page.next
  } while (after)
}
