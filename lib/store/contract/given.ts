import type { Candidate } from '../../model/block.ts'
import { sampleRun } from '../../testing/records.ts'
import type { Page, Paged, Store } from '../store.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const run = sampleRun()

export interface Given {
  readonly store: Store
}

export async function texts(store: Store, blocks: readonly Candidate[]): Promise<(string | undefined)[]> {
  const read = await store.read(blocks.map(({ ref }) => ref))
  return read.map((bytes) => bytes && Buffer.from(bytes).toString())
}

export async function all<T>(read: (page: Page) => Promise<Paged<T>>, limit: number): Promise<T[]> {
  const items: T[] = []
  for (let page: Page | undefined = { limit }; page; ) {
    const { items: more, next }: Paged<T> = await read(page)
    items.push(...more)
    page = next && { limit, after: next }
  }
  return items
}

export function only<T>(items: readonly T[]): T {
  const [item] = items
  if (items.length !== 1 || item === undefined) throw new Error(`${items.length} items where one was expected`)
  return item
}
