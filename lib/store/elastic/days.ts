import { randomUUID } from 'node:crypto'
import { ProwlError } from '../../errors.ts'
import type { Day } from '../../model/run.ts'
import type { Cluster } from './cluster.ts'
import { hasStatus } from './connect.ts'
import { blockIndices } from './layout.ts'

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
  const doc = await cluster.getOne<{ value: string }>(cluster.names.state, ID)
  return asList(cluster, doc ? JSON.parse(doc.source.value) : {})
}

function asList({ names }: Cluster, kept: Kept): DayIndex[] {
  return Object.entries(kept)
    .map(([day, rest]) => ({ day, index: names.blocks(day), ...rest }))
    .sort((a, b) => (a.day < b.day ? 1 : -1))
}

/** The days as their one writer keeps them: its calls come one after another. */
export class Days {
  readonly #cluster: Cluster
  #known: Promise<Kept>

  constructor(cluster: Cluster, days: readonly DayIndex[]) {
    this.#cluster = cluster
    this.#known = Promise.resolve(Object.fromEntries(days.map(({ day, index: _, ...rest }) => [day, rest])))
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
      return await this.#put({ ...known, [day]: { ...(old ?? { generation: await this.#make(day) }), ...span } })
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
      if (expired.length > 0) await this.#put(kept)
      const wanted = new Set(Object.keys(kept).map(names.blocks))
      for (const index of indices) if (!wanted.has(index)) await this.#remove(index)
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
      await this.#cluster.client.indices.forcemerge({ index, max_num_segments: 1, wait_for_completion: false })
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
    const document = { kind: 'days', value: JSON.stringify(kept) }
    await this.#cluster.client.index({ index: this.#cluster.names.state, id: ID, document })
    return kept
  }

  /** An index that no document names is what a retention left that was cut off. */
  async #make(day: Day): Promise<string> {
    const index = this.#cluster.names.blocks(day)
    await this.#remove(index)
    await this.#cluster.client.indices.create({ index })
    return randomUUID()
  }

  async #remove(index: string): Promise<void> {
    await this.#cluster.client.indices.delete({ index }).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error
    })
  }
}
