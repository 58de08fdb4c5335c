import type { Block } from '#lib/model/block.ts'
import type { Run } from '#lib/model/run.ts'
import { openStore } from '#lib/store/open.ts'
import type { Store, Version } from '#lib/store/store.ts'
import { BlockCutter } from '#lib/text/blocks.ts'
import { logText } from '../corpus/log-text.ts'

const TIME = Date.UTC(2026, 10, 3)
const LOG = { name: 'build-log.txt', kind: 'build-log' } as const
/** A line as no other: where it stands is known without looking for it. */
export const LAST_LINE = 'the last line of a long log'
export const LONG_RUN: Run = {
  bucket: 'gs://long',
  path: 'logs/periodic-long/1',
  job: 'periodic-long',
  buildId: '1',
  type: 'periodic',
  result: 'failure',
  time: TIME,
  timeSource: 'finished',
  warnings: [],
}

/** A store with one run, whose one log has so many bytes: the same from the same seed. */
export async function fillLong(dataDir: string, bytes: number, seed = 1): Promise<void> {
  const store = await openStore({ dataDir, mode: 'write' })
  const version = await store.begin(LONG_RUN)
  const { size, lines } = await append(store, version, text(bytes, seed))
  const logs = [{ ...LOG, bytes: size, lines }]
  const nothing = { hits: [], tracks: [], exposures: [] }
  await store.publish(version, { run: LONG_RUN, fingerprint: 'f', firstSeen: TIME, logs, ...nothing })
  // As after a pass: what was written is indexed.
  await store.maintain()
  await store.close()
}

function* text(bytes: number, seed: number): Generator<string> {
  yield* logText(seed, { day: 0, index: 0, bytes, start: TIME, holds: [] })
  yield `${LAST_LINE}\n`
}

async function append(store: Store, version: Version, pieces: Iterable<string>) {
  const cutter = new BlockCutter()
  let [size, lines] = [0, 0]
  const write = async (blocks: readonly Block[]) => {
    lines += blocks.reduce((sum, block) => sum + (block.window ? 0 : block.lineCount), 0)
    if (blocks.length > 0) await store.append(version, LOG, blocks)
  }
  for (const piece of pieces) {
    const part = Buffer.from(piece)
    size += part.length
    await write(cutter.push(part))
  }
  await write(cutter.end())
  return { size, lines }
}
