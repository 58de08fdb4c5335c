import { basename } from 'node:path'
import type { Hit } from '../model/hit.ts'
import type { Run } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { Searcher } from '../search/engine.ts'
import type { Limits } from '../search/search-parts.ts'
import type { RunOutcome } from '../search/tasks.ts'
import { affectedBy } from '../signature/affected.ts'
import type { Catalogue, CatalogueFile } from '../signature/catalogue.ts'
import type { StoredRun } from '../store/store.ts'

/** What an edit would change of one signature, among the runs whose text is kept. */
export interface Preview {
  readonly signature: string
  readonly title: string
  /** Why it is looked at: its rules differ, those of its parent or part do, or those of what it yields to. */
  readonly why: 'new' | 'edited' | 'removed' | 'family' | 'yields'
  /** Runs that hold it now, with the hits by which they would. */
  readonly gained: Differences
  /** Runs that hold it no more, with the hits they have. */
  readonly lost: Differences
  /** Runs that hold it before and after. */
  readonly kept: number
}

export interface Differences {
  readonly count: number
  /** The newest first, as many as were asked for. */
  readonly runs: readonly Difference[]
}

export interface Difference {
  readonly run: Run
  /** The first few. */
  readonly hits: readonly Hit[]
  readonly moreHits: number
}

export interface PreviewAnswer {
  /** None where no rule differs: nothing was looked at then. */
  readonly previews: readonly Preview[]
  /** Runs that were compared. */
  readonly runs: number
  /** Runs whose text is gone: nothing is known of them. */
  readonly expired: number
  /** Runs on which a pattern came to no end, or whose text is damaged. */
  readonly leftOut: number
  /** The deadline came: only runs from `comparedFrom` on (epoch ms) were looked at; none where it is absent. */
  readonly partial: boolean
  readonly comparedFrom?: number
}

export interface PreviewOptions extends Limits {
  /** Runs named of a signature's gained, and of its lost. */
  readonly listed: number
  readonly onProgress?: (done: number) => void
}

const HITS_LISTED = 3

/** The files, with one in place of that of its name, or beside the others. */
export function withFile(files: readonly CatalogueFile[], edited: CatalogueFile): CatalogueFile[] {
  const name = basename(edited.file)
  const at = files.findIndex(({ file }) => basename(file) === name)
  return at < 0 ? [...files, edited] : files.with(at, edited)
}

/** Those whose rules differ between the two, in either. */
export function changedSignatures(before: Catalogue, after: Catalogue): Signature[] {
  const rules = new Map(before.signatures.map(({ id, definition }) => [id, definition]))
  const left = new Set(after.signatures.map(({ id }) => id))
  return [
    ...after.signatures.filter(({ id, definition }) => rules.get(id) !== definition),
    ...before.signatures.filter(({ id }) => !left.has(id)),
  ]
}

/** Which runs an edit would gain and lose: of every signature whose rules differ, and of what yields to them. */
export async function preview(
  searcher: Pick<Searcher, 'evaluate'>,
  before: Catalogue,
  after: Catalogue,
  options: PreviewOptions,
): Promise<PreviewAnswer> {
  const changed = changedSignatures(before, after)
  const counts = { runs: 0, expired: 0, leftOut: 0 }
  if (changed.length === 0) return { previews: [], ...counts, partial: false }
  const affected = affectedBy(new Set(changed.map(({ id }) => id)), after)
  const removed = changed.filter((signature) => !after.signatures.includes(signature))
  const looked = [...after.signatures.filter(({ id }) => affected.ids.includes(id)), ...removed]
  const comparing = looked.map((signature) => ({ signature, ...createComparison(signature.id, options.listed) }))
  let comparedFrom: number | undefined
  const whole = await searcher.evaluate(
    affected,
    (stored, outcome) => {
      counts[countedAs(outcome)]++
      if (outcome.state === 'done') for (const { compare } of comparing) compare(stored, outcome.hits)
      comparedFrom = stored.run.time
      options.onProgress?.(counts.runs + counts.expired + counts.leftOut)
    },
    options,
  )
  const previews = comparing.map(({ signature, result }) => ({
    signature: signature.id,
    title: signature.title,
    why: reasonOf(signature, before, after, changed),
    ...result(),
  }))
  return { previews, ...counts, partial: !whole, ...(whole || comparedFrom === undefined ? {} : { comparedFrom }) }
}

function countedAs({ state }: RunOutcome): 'runs' | 'expired' | 'leftOut' {
  if (state === 'done') return 'runs'
  return state === 'expired' ? 'expired' : 'leftOut'
}

function reasonOf(
  signature: Signature,
  before: Catalogue,
  after: Catalogue,
  changed: readonly Signature[],
): Preview['why'] {
  const has = (catalogue: Catalogue) => catalogue.signatures.some(({ id }) => id === signature.id)
  const isChanged = (wanted: string | undefined) => changed.some(({ id }) => id === wanted)
  if (!has(after)) return 'removed'
  if (!has(before)) return 'new'
  if (isChanged(signature.part?.of)) return 'family'
  if (isChanged(signature.id)) return 'edited'
  return signature.yieldsTo.some(isChanged) ? 'yields' : 'family'
}

/** Keeps the first of each sort and counts the others. */
function createComparison(id: string, listed: number) {
  const gained = { count: 0, runs: [] as Difference[] }
  const lost = { count: 0, runs: [] as Difference[] }
  let kept = 0
  const note = (sort: typeof gained, run: Run, hits: readonly Hit[]) => {
    if (++sort.count > listed) return
    sort.runs.push({ run, hits: hits.slice(0, HITS_LISTED), moreHits: Math.max(0, hits.length - HITS_LISTED) })
  }
  return {
    compare({ run, hits }: StoredRun, found: readonly Hit[]) {
      const was = hits.filter(({ signature }) => signature === id)
      const is = found.filter(({ signature }) => signature === id)
      if (was.length > 0 && is.length > 0) kept++
      else if (is.length > 0) note(gained, run, is)
      else if (was.length > 0) note(lost, run, was)
    },
    result: () => ({ gained, lost, kept }),
  }
}
