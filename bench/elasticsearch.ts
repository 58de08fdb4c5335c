import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@elastic/elasticsearch'
import { SERVER_JVM, startElasticsearch } from '#lib/testing/elasticsearch.ts'
import { foldersOf } from './corpus/write.ts'
import type { Figures } from './figures.ts'
import { SIGNATURES } from './prepare.ts'
import { openProwl, type Prowl } from './prowl.ts'
import { runChild } from './run-child.ts'

/** The corpus in an Elasticsearch of its own. */
export interface InElasticsearch {
  readonly prowl: Prowl
  /** Merges: searches before it are over what was just written. */
  merge(rawBytes: number): Promise<NonNullable<Figures['elasticsearch']>>
  close(): Promise<void>
}

const MIB = 1024 * 1024
const MERGE_MS = 3_600_000

/** Ingests the bucket in `dir` as `npm run ingest` with PROWL_STORE=elasticsearch would; the node's data lies in `dir` too. */
export async function ingestIntoElasticsearch(dir: string, tell: (text: string) => void): Promise<InElasticsearch> {
  const node = await startElasticsearch({ dir, jvm: SERVER_JVM })
  const client = new Client({ node: node.url, requestTimeout: MERGE_MS })
  const elastic = { nodes: [node.url], prefix: node.newPrefix() }
  const close = async () => {
    await client.close()
    await node.stop()
  }
  try {
    tell('ingesting the same logs into Elasticsearch')
    const { bucket } = foldersOf(dir)
    const { ms, peakBytes } = await runChild({
      do: 'ingest',
      bucket,
      dataDir: dir,
      elastic,
      signatureDirs: [SIGNATURES],
    })
    const index = `${elastic.prefix}-*`
    await client.indices.flush({ index })
    const writtenBytes = await sizeOf(client, index)
    const prowl = await openProwl(dir, elastic)
    return {
      prowl,
      async merge(rawBytes) {
        await mergeAll(client, index)
        return {
          ingestMiBs: rawBytes / MIB / (ms / 1000),
          ingestPeakMiB: peakBytes / MIB,
          writtenRatio: writtenBytes / rawBytes,
          mergedRatio: (await sizeOf(client, index)) / rawBytes,
        }
      },
      async close() {
        await prowl.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Bytes of all segments: index statistics are up to ten seconds old. */
async function sizeOf(client: Client, index: string): Promise<number> {
  const { indices } = await client.indices.segments({ index })
  const shards = Object.values(indices).flatMap(({ shards }) => Object.values(shards).flat())
  return shards
    .filter(({ routing }) => routing.primary)
    .flatMap(({ segments }) => Object.values(segments))
    .reduce((sum, { size_in_bytes }) => sum + size_in_bytes, 0)
}

/** Merges when Elasticsearch keeps what was sent for no copy any more: it looks every half minute. */
async function mergeAll(client: Client, index: string): Promise<void> {
  while (await isRetaining(client, index)) await sleep(500)
  await client.indices.forcemerge({ index, max_num_segments: 1 })
}

async function isRetaining(client: Client, index: string): Promise<boolean> {
  const { indices = {} } = await client.indices.stats({ index, level: 'shards' })
  const shards = Object.values(indices).flatMap(({ shards = {} }) => Object.values(shards).flat())
  return shards.some(({ retention_leases, seq_no }) =>
    retention_leases?.leases.some(({ retaining_seq_no }) => retaining_seq_no <= (seq_no?.max_seq_no ?? -1)),
  )
}
