import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ProwlError } from '../../errors.ts'
import type { Day } from '../../model/run.ts'
import { type Cluster, NAMED_AT_ONCE } from './cluster.ts'
import { hasStatus, isThereAlready } from './connect.ts'
import { blockIndices } from './layout.ts'
import type { DocState } from './lease.ts'
import { conditionOf } from './lease-document.ts'

/** A day whose text is kept, in an index of its own. */
export interface DayIndex {
  readonly day: Day
  readonly index: string
  /** A day's index that is made anew is another. */
  readonly generation: string
  /** Its runs' times lie in between, both inclusive: mostly within the day, but a run stays where it was first. */
  readonly oldest: number
  readonly newest: number
  /** A merge was asked for after the day. */
  readonly merged?: boolean
}

type Kept = Readonly<Record<Day, Omit<DayIndex, 'day' | 'index'>>>

/** The newest days are written to. */
const WRITTEN_DAYS = 2

const ID = 'days'

/** The days that are kept, the newest first: one document, read as it is now. */
export async function listDays(cluster: Cluster): Promise<DayIndex[]> {
  return asList(cluster, (await readKept(cluster)).kept)
}

async function readKept(cluster: Cluster): Promise<{ readonly kept: Kept; readonly state: DocState | 'nothing' }> {
  const doc = await cluster.getOne<{ value: string }>(cluster.names.state, ID)
  return doc ? { kept: JSON.parse(doc.source.value), state: doc.state } : { kept: {}, state: 'nothing' }
}

function asList({ names }: Cluster, kept: Kept): DayIndex[] {
  return Object.entries(kept)
    .map(([day, rest]) => ({ day, index: names.blocks(day), ...rest }))
    .sort((a, b) => (a.day < b.day ? 1 : -1))
}

/**
 * The days as their one writer keeps them: its calls come one after another. Before an index is deleted, or one is made,
 * the document was written over what this writer knew: so none that a successor made is lost to a late request.
 */
export class Days {
  readonly #cluster: Cluster
  #known: Promise<Kept>
  #state: DocState | 'nothing'

  private constructor(cluster: Cluster, kept: Kept, state: DocState | 'nothing') {
    this.#cluster = cluster
    this.#known = Promise.resolve(kept)
    this.#state = state
  }

  /** Writes the document anew: what a writer before this one knew of it is then no longer so, and its changes are refused. */
  static async open(cluster: Cluster): Promise<Days> {
    for (;;) {
      const { kept, state } = await readKept(cluster)
      const days = new Days(cluster, kept, state)
      if (await days.#write(kept)) return days
    }
  }

  async list(): Promise<DayIndex[]> {
    return asList(this.#cluster, await this.#known)
  }

  /** The day's index, made where it is not there, that is known to hold runs of this time. */
  async ensure(day: Day, time: number): Promise<DayIndex> {
    const kept = await this.#change(async (known) => {
      const old = known[day]
      if (old && old.oldest <= time && old.newest >= time) return known
      const span = { oldest: Math.min(old?.oldest ?? time, time), newest: Math.max(old?.newest ?? time, time) }
      if (!old) await this.#make(day, known)
      return await this.#put({ ...known, [day]: { ...(old ?? { generation: randomUUID() }), ...span } })
    })
    const { [day]: found } = kept
    if (!found) throw new ProwlError('STORE_FAILED', `the index of ${day} is gone; begin again`)
    return { day, index: this.#cluster.names.blocks(day), ...found }
  }

  /** Forgets the days before this one, and those whose index is gone; then deletes the indices of days not kept. */
  async expire(before: Day): Promise<Day[]> {
    const { client, prefix, names } = this.#cluster
    const expired: Day[] = []
    await this.#change(async (known) => {
      const indices = await blockIndices(client, prefix)
      const left = Object.entries(known).filter(([day]) => day >= before && indices.includes(names.blocks(day)))
      const kept = Object.fromEntries(left)
      expired.push(...Object.keys(known).filter((day) => !(day in kept)))
      const wanted = new Set(Object.keys(kept).map(names.blocks))
      const stale = indices.filter((index) => !wanted.has(index))
      if (expired.length > 0 || stale.length > 0) await this.#put(kept)
      for (const index of stale) await this.#remove(index)
      return kept
    })
    return expired.sort()
  }

  /**
   * Asks, once a day, for a merge of those that are written to no more, and does not wait for it: Elasticsearch keeps all
   * that was sent beside what it indexes until segments are merged, four times as much.
   */
  async merge(): Promise<void> {
    await this.#change(async (known) => {
      const over = asList(this.#cluster, known).slice(WRITTEN_DAYS)
      const index = over.filter(({ merged }) => !merged).map((day) => day.index)
      if (index.length === 0) return known
      for (let at = 0; at < index.length; at += NAMED_AT_ONCE) {
        const part = index.slice(at, at + NAMED_AT_ONCE)
        await this.#cluster.client.indices.forcemerge({ index: part, max_num_segments: 1, wait_for_completion: false })
      }
      return await this.#put({
        ...known,
        ...Object.fromEntries(over.map(({ day, index: _, ...rest }) => [day, { ...rest, merged: true }])),
      })
    })
  }

  /** A change that fails leaves what was known. */
  #change(change: (known: Kept) => Promise<Kept>): Promise<Kept> {
    const before = this.#known
    const changed = before.then(change)
    this.#known = changed.catch(() => before)
    return changed
  }

  async #put(kept: Kept): Promise<Kept> {
    if (await this.#write(kept)) return kept
    const found = await readKept(this.#cluster)
    // Else it was written, and the answer did not come.
    if (!isDeepStrictEqual(found.kept, kept))
      throw new ProwlError('STORE_LEASE_LOST', 'another worker changed which days are kept; this one writes no more')
    this.#state = found.state
    return kept
  }

  /** False where another wrote it. */
  async #write(kept: Kept): Promise<boolean> {
    const { client, names } = this.#cluster
    const document = { kind: 'days', value: JSON.stringify(kept) }
    try {
      this.#state = await client
        .index({ index: names.state, id: ID, document, ...conditionOf(this.#state) })
        .then(stateOf)
      return true
    } catch (error) {
      if (hasStatus(error, 409)) return false
      throw error
    }
  }

  /** An index that no document names is what a retention left that was cut off. */
  async #make(day: Day, known: Kept): Promise<void> {
    const { client, names } = this.#cluster
    const index = names.blocks(day)
    try {
      await client.indices.create({ index })
    } catch (error) {
      if (!isThereAlready(error)) throw error
      await this.#put(known)
      await this.#remove(index)
      await client.indices.create({ index })
    }
  }

  async #remove(index: string): Promise<void> {
    await this.#cluster.client.indices.delete({ index }).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error
    })
  }
}

function stateOf({ _seq_no = 0, _primary_term = 0 }: Partial<DocState>): DocState {
  return { _seq_no, _primary_term }
}
