import type { Run, RunKey } from '../model/run.ts'
import type { OrderKey, Paged, Store } from '../store/store.ts'

/** Runs of one read. */
const AT_ONCE = 500

/** A run's key as one text, for maps. */
export function runText(run: RunKey): string {
  return `${run.bucket}/${run.path}`
}

/** The runs of `hits` (anything that names one), by their key as text. */
export async function runsOfHits(store: Pick<Store, 'runsOf'>, hits: readonly RunKey[]): Promise<Map<string, Run>> {
  const keys = [...new Map(hits.map((hit) => [runText(hit), hit])).values()]
  const found = new Map<string, Run>()
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const runs = await store.runsOf(keys.slice(at, at + AT_ONCE).map(({ bucket, path }) => ({ bucket, path })))
    for (const run of runs) found.set(runText(run), run)
  }
  return found
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
