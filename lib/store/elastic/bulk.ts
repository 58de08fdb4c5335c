import type { estypes } from '@elastic/elasticsearch'
import { ProwlError } from '../../errors.ts'
import type { Cluster } from './cluster.ts'
import { BusyError, passes, patiently } from './connect.ts'
import type { DocState } from './lease.ts'

/** Writes a document, or deletes it where it has none. */
export interface Write {
  readonly index: string
  readonly id: string
  /** As JSON. */
  readonly doc?: string
  /** Only over this state of it, or where there is none: where it is another, the write is refused. */
  readonly over?: 'nothing' | DocState
}

/** Bytes of documents in one request. */
const REQUEST_BYTES = 4 << 20

/**
 * Writes all of it, in requests of bounded size, one after another. What a busy cluster refuses is sent again, alone. Gives
 * the ids refused for their state (`over`); throws STORE_FAILED for any other refusal, STORE_UNREACHABLE where patience
 * ends. Writing the same twice does no harm.
 */
export async function bulk(cluster: Cluster, writes: readonly Write[]): Promise<ReadonlySet<string>> {
  const refused = new Set<string>()
  for (const part of requestsOf(writes)) for (const id of await send(cluster, part)) refused.add(id)
  return refused
}

function requestsOf(writes: readonly Write[]): Write[][] {
  const requests: Write[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const write of writes) {
    const size = write.doc?.length ?? 0
    if (bytes + size > REQUEST_BYTES) {
      requests.push([])
      bytes = 0
    }
    requests.at(-1)?.push(write)
    bytes += size
  }
  return requests
}

async function send(cluster: Cluster, writes: readonly Write[]): Promise<string[]> {
  const refused: string[] = []
  let left = writes
  await patiently(cluster.patience, async () => {
    const { items } = await cluster.client.bulk({ operations: left.flatMap(lines) })
    const busy: Write[] = []
    for (const [i, write] of left.entries()) {
      const { status, error } = outcome(items[i])
      if (status < 300 || (status === 404 && write.doc === undefined)) continue
      if (status === 409 && write.over) refused.push(write.id)
      else if (passes(status)) busy.push(write)
      else throw new ProwlError('STORE_FAILED', `${write.index} refused a document: ${error ?? status}`)
    }
    left = busy
    if (busy.length > 0) throw new BusyError(`${busy.length} documents were refused: too busy`)
  })
  for (const { index } of writes) cluster.touch(index)
  return refused
}

function lines({ index, id, doc, over }: Write): (string | estypes.BulkOperationContainer)[] {
  const at = { _index: index, _id: id }
  if (over === 'nothing') return doc === undefined ? [] : [{ create: at }, doc]
  const where = { ...at, ...(over ? { if_seq_no: over._seq_no, if_primary_term: over._primary_term } : {}) }
  return doc === undefined ? [{ delete: where }] : [{ index: where }, doc]
}

function outcome(item: Partial<Record<string, estypes.BulkResponseItem>> | undefined) {
  const [done] = Object.values(item ?? {})
  if (!done) throw new ProwlError('STORE_FAILED', 'Elasticsearch did not answer for every document of a request')
  return { status: done.status, error: done.error?.reason ?? done.error?.type }
}
