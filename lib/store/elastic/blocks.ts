import { ProwlError } from '../../errors.ts'
import type { BlockRef, ListedBlock } from '../../model/block.ts'
import type { RunKey } from '../../model/run.ts'
import { unpack } from '../packed.ts'
import { onKeptDays } from './candidates.ts'
import { type Cluster, everything, untilStable } from './cluster.ts'
import { type BlockDoc, candidateOf, type RunDoc, runId } from './documents.ts'
import { all, one } from './query.ts'

/** Documents with their bytes that one request asks for. */
const READ_AT_ONCE = 64
/** Lines are numbered by Elasticsearch's integers, which a larger bound is refused for. */
const LAST_LINE = 2 ** 31 - 1

export async function blocksOfLog(cluster: Cluster, key: RunKey, log: string, from: number, to: number) {
  return onKeptDays(cluster, (days) =>
    untilStable(async () => {
      const run = await namedRun(cluster, key)
      const day = run && days.find(({ generation }) => generation === run.generation)
      if (!run || !day || run.blocks === 0) return []
      const query = all([
        ...one('version', run.version),
        ...one('log', log),
        { range: { last_line: { gte: Math.min(from, LAST_LINE) } } },
        { range: { first_line: { lte: Math.min(to, LAST_LINE) } } },
      ])
      const found: ListedBlock[] = []
      for await (const { _source } of everything<BlockDoc>(cluster, day.index, {
        query,
        sort: [{ n: 'asc' }],
        size: 500,
      }))
        found.push({ ...candidateOf(_source, day.day), size: _source.size })
      // None may be left of a version that is being swept.
      return found.length > 0 || (await namedRun(cluster, key))?.version === run.version ? found : undefined
    }),
  )
}

async function namedRun(cluster: Cluster, key: RunKey): Promise<RunDoc | undefined> {
  return (await cluster.getOne<RunDoc>(cluster.names.runs, runId(key)))?.source
}

interface Read {
  readonly found?: boolean
  readonly _source?: BlockDoc
  readonly fields?: { readonly bytes?: readonly string[] }
  readonly error?: { readonly type: string; readonly reason?: string }
}

export async function readBlocks(cluster: Cluster, refs: readonly BlockRef[]): Promise<(Uint8Array | undefined)[]> {
  const read: (Uint8Array | undefined)[] = []
  for (let at = 0; at < refs.length; at += READ_AT_ONCE) {
    const part = refs.slice(at, at + READ_AT_ONCE)
    const docs = part.map(({ day, id }) => ({
      ...{ _index: cluster.names.blocks(day), _id: id, _source: ['size', 'crc'], stored_fields: ['bytes'] },
    }))
    // What a run names was refreshed before.
    const answer = await cluster.client.mget({ docs, realtime: false })
    read.push(...(answer.docs as unknown as readonly Read[]).map((doc, i) => bytesOf(doc, part[i])))
  }
  return read
}

function bytesOf(doc: Read, ref: BlockRef | undefined): Uint8Array | undefined {
  if (doc.error) {
    const { type, reason } = doc.error
    if (type === 'index_not_found_exception') return undefined
    throw new ProwlError('STORE_FAILED', `a block of ${ref?.day} can't be read: ${reason ?? type}; try again`)
  }
  if (!doc.found) return undefined
  const [base64] = doc.fields?.bytes ?? []
  const { size, crc } = doc._source ?? {}
  const whole = base64 !== undefined && size !== undefined && crc !== undefined
  const bytes = whole ? unpack({ size, crc, zstd: Buffer.from(base64, 'base64') }) : undefined
  if (bytes) return bytes
  throw new ProwlError(
    'STORE_CORRUPT',
    `block ${ref?.id} of ${ref?.day} is damaged; read its runs again from their bucket`,
  )
}
