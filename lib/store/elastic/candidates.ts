import type { estypes } from '@elastic/elasticsearch'
import { ProwlError } from '../../errors.ts'
import type { Candidate } from '../../model/block.ts'
import { cutPage } from '../record.ts'
import type { CandidateFilter, CandidatePage, OrderKey, Page, Paged } from '../store.ts'
import type { Cluster, Query } from './cluster.ts'
import { hasStatus } from './connect.ts'
import { type DayIndex, listDays } from './days.ts'
import { type BlockDoc, candidateOf, type RunDoc, runId } from './documents.ts'
import { all, BLOCK_SORT, blockClauses, blocksAfter, blocksUpTo } from './query.ts'
import { totalOf } from './state.ts'

const BLOCKS_AT_ONCE = 1000
/** Fetched beyond a page, so that it seldom takes another request to know that it ends between two lines. */
const MARGIN = 4
const RETRIES = 20

/** The blocks that the filter leaves and that runs name, walked a few days at a time, the newest first. */
export function listCandidates(cluster: Cluster, filter: CandidateFilter, page: Page): Promise<CandidatePage> {
  return onKeptDays(cluster, async (all) => {
    const days = all.filter((day) => overlaps(day, filter, page.after))
    const unnamed = new Set<string>()
    const find = () => candidatesPage(cluster, days, filter, page, unnamed)
    if (!filter.plan || filter.plan.kind === 'all') {
      const found = await find()
      return { ...found, considered: found.items.length }
    }
    const count = (next?: OrderKey) => countBlocks(cluster, days, filter, page.after, next, unnamed)
    // Most pages are the only one: all that there is is counted meanwhile.
    const [found, most] = await Promise.all([find(), count()])
    const considered = found.next || unnamed.size > 0 ? await count(found.next) : most
    return { ...found, considered: Math.max(found.items.length, considered) }
  })
}

/** Reads of days that expire meanwhile start again without them; an index that is gone for another reason is an error. */
export async function onKeptDays<T>(cluster: Cluster, read: (days: DayIndex[]) => Promise<T>): Promise<T> {
  for (let days = await listDays(cluster); ; ) {
    try {
      return await read(days)
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
      const before = days.map(({ generation }) => generation).join()
      days = await listDays(cluster)
      if (days.map(({ generation }) => generation).join() !== before) continue
      throw new ProwlError(
        'STORE_CORRUPT',
        'the index of a day that is kept is gone; the ingest worker notes it as expired at its next pass',
        { cause: error },
      )
    }
  }
}

function overlaps(
  { oldest, newest }: DayIndex,
  { from = 0, to = Infinity }: CandidateFilter,
  after?: OrderKey,
): boolean {
  return newest >= from && oldest < to && oldest <= (after?.time ?? Infinity)
}

async function candidatesPage(
  cluster: Cluster,
  days: readonly DayIndex[],
  filter: CandidateFilter,
  { limit, after }: Page,
  unnamed: Set<string>,
): Promise<Paged<Candidate>> {
  const clauses = [...blockClauses(filter), ...(after ? [blocksAfter(after)] : [])]
  const items: Candidate[] = []
  for (const group of groupsOf(days)) {
    for (let sort: estypes.SortResults | undefined; ; ) {
      const size = Math.min(Math.max(1, limit - items.length) + MARGIN, BLOCKS_AT_ONCE)
      const found = await namedBlocks(cluster, group, clauses, size, sort, unnamed)
      items.push(...found.items)
      const page = cutPage(items, limit, blockEnd)
      if (page.next) return page
      sort = found.items.length < size ? undefined : found.last
      if (!sort) break
    }
  }
  return { items }
}

/**
 * Days in groups, each newer than the next: one, then two, four… Those with runs of a common time come together (a run
 * stays in its first day, whatever its later time).
 */
export function* groupsOf(days: readonly DayIndex[]): Generator<DayIndex[]> {
  const waiting = days.toSorted((a, b) => b.newest - a.newest)
  for (let size = 1; waiting.length > 0; size *= 2) {
    const group = waiting.splice(0, size)
    for (let oldest = Infinity; ; ) {
      oldest = Math.min(oldest, ...group.map((day) => day.oldest))
      const next = waiting[0]
      if (!next || next.newest < oldest) break
      group.push(...waiting.splice(0, 1))
    }
    yield group
  }
}

interface Found {
  readonly items: readonly Candidate[]
  readonly last: estypes.SortResults | undefined
}

/**
 * The first `size` blocks whose version their run names. A run replaced after the search has other blocks than were
 * found: so where some are of a version that no run names, the search is repeated without them.
 */
async function namedBlocks(
  cluster: Cluster,
  days: readonly DayIndex[],
  clauses: readonly Query[],
  size: number,
  after: estypes.SortResults | undefined,
  unnamed: Set<string>,
): Promise<Found> {
  const left = new Set<string>()
  for (let i = 0; i < RETRIES; i++) {
    const { hits } = await cluster.search<BlockDoc>(
      days.map(({ index }) => index),
      {
        query: { bool: { filter: [...clauses], must_not: [{ terms: { version: [...left] } }] } },
        sort: BLOCK_SORT,
        size,
        ...(after ? { search_after: after } : {}),
      },
    )
    const found = hits.hits.flatMap(({ _source, _index }) => {
      const day = days.find(({ index }) => index === _index)
      return _source && day ? [{ doc: _source, day }] : []
    })
    const other = await unnamedOf(
      cluster,
      found.map(({ doc }) => doc),
    )
    if (other.size === 0)
      return { items: found.map(({ doc, day }) => candidateOf(doc, day.day)), last: hits.hits.at(-1)?.sort }
    for (const version of other) {
      left.add(version)
      unnamed.add(version)
    }
  }
  throw new ProwlError('STORE_FAILED', 'runs are replaced faster than they can be read; try again')
}

async function unnamedOf(cluster: Cluster, found: readonly BlockDoc[]): Promise<Set<string>> {
  const wanted = [...new Map(found.map((doc) => [doc.version, doc])).values()]
  const index = cluster.names.runs
  const runs = await cluster.get<RunDoc>(wanted.map((doc) => ({ index, id: runId(doc), fields: ['version'] })))
  const other = wanted.filter((doc, i) => runs[i]?.source.version !== doc.version)
  return new Set(other.map((doc) => doc.version))
}

/** How many blocks of the stretch there are without the plan; those swept soon may be among them. */
async function countBlocks(
  cluster: Cluster,
  days: readonly DayIndex[],
  { plan: _, ...filter }: CandidateFilter,
  after: OrderKey | undefined,
  next: OrderKey | undefined,
  unnamed: ReadonlySet<string>,
): Promise<number> {
  const indices = days.filter(({ newest }) => newest >= (next?.time ?? 0)).map(({ index }) => index)
  if (indices.length === 0) return 0
  const stretch = [...(after ? [blocksAfter(after)] : []), ...(next ? [blocksUpTo(next)] : [])]
  const query = {
    bool: { filter: [all([...blockClauses(filter), ...stretch])], must_not: [{ terms: { version: [...unnamed] } }] },
  }
  const { hits } = await cluster.search(indices, { size: 0, query, track_total_hits: true })
  return totalOf(hits)
}

function blockEnd({ time, bucket, path, log, firstLine, lineCount }: Candidate): OrderKey {
  return { time, bucket, path, log, line: firstLine + lineCount - 1 }
}
