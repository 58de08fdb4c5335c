import { ProwlError } from '#lib/errors.ts'
import type { Listing, ListOptions, ObjectInfo, Source } from '../../source/source.ts'

export interface MemoryObject {
  readonly text: string
  readonly metadata?: Readonly<Record<string, string>>
}

export interface Counts {
  list: number
  stat: number
  read: number
}

/** A remote bucket in memory that lists as Google Cloud Storage does, and counts what it was asked. */
export interface MemorySource extends Source {
  readonly counts: Counts
  readonly asked: string[]
}

const OVER = String.fromCharCode('/'.charCodeAt(0) + 1)

export function memorySource(
  objects: ReadonlyMap<string, MemoryObject>,
  { pageSize = 1000, fault }: { pageSize?: number; fault?: (name: string) => Error | undefined } = {},
): MemorySource {
  const sorted = [...objects.keys()].sort()
  const counts = { list: 0, stat: 0, read: 0 }
  const asked: string[] = []
  const ask = (what: keyof Counts, name: string) => {
    counts[what]++
    asked.push(name)
    const error = fault?.(name)
    if (error) throw error
  }
  const infoOf = (name: string, { text, metadata }: MemoryObject): ObjectInfo => ({
    name,
    size: text.length,
    generation: '1',
    ...(metadata ? { metadata } : {}),
  })
  return {
    bucket: 'gs://memory',
    local: false,
    counts,
    asked,
    async list(options) {
      options.signal?.throwIfAborted()
      ask('list', options.prefix)
      return listOf(sorted, options, pageSize, (name) => infoOf(name, objects.get(name) ?? { text: '' }))
    },
    async stat(name) {
      ask('stat', name)
      const object = objects.get(name)
      return object && infoOf(name, object)
    },
    async *read(name) {
      ask('read', name)
      const object = objects.get(name)
      if (!object) throw new ProwlError('OBJECT_NOT_FOUND', `${name}: no such object`)
      yield Buffer.from(object.text)
    },
    traffic: () => ({ requests: 0, retries: 0, throttled: 0, bytes: 0, failed: 0 }),
    close: async () => {},
  }
}

function listOf(
  sorted: readonly string[],
  { prefix, delimiter, startOffset = '', endOffset, pageToken = '' }: ListOptions,
  pageSize: number,
  infoOf: (name: string) => ObjectInfo,
): Listing {
  const objects: ObjectInfo[] = []
  const prefixes: string[] = []
  const after = pageToken.endsWith('/') ? pageToken.slice(0, -1) + OVER : pageToken && `${pageToken}\0`
  let at = firstFrom(sorted, [prefix, startOffset, after].sort().at(-1) ?? '')
  let last = ''
  for (; objects.length + prefixes.length < pageSize; ) {
    const name = sorted[at]
    if (!name?.startsWith(prefix) || (endOffset !== undefined && name >= endOffset)) return { objects, prefixes }
    const cut = delimiter ? name.indexOf('/', prefix.length) + 1 : 0
    last = cut > 0 ? name.slice(0, cut) : name
    if (cut > 0) prefixes.push(last)
    else objects.push(infoOf(name))
    at = cut > 0 ? firstFrom(sorted, last.slice(0, -1) + OVER) : at + 1
  }
  const more = sorted[at]
  const whole = !more?.startsWith(prefix) || (endOffset !== undefined && more >= endOffset)
  return { objects, prefixes, ...(whole ? {} : { nextPageToken: last }) }
}

function firstFrom(sorted: readonly string[], name: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}
