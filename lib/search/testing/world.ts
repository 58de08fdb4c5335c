import fc from 'fast-check'
import type { Block } from '../../model/block.ts'
import type { Run } from '../../model/run.ts'
import { createReferenceStore } from '../../store/reference.ts'
import type { Store } from '../../store/store.ts'
import { BlockCutter } from '../../text/blocks.ts'

export const NOW = Date.UTC(2026, 10, 3)
export const BUCKET = 'gs://bucket'

export interface TestRun {
  readonly job: string
  readonly minutesAgo: number
  readonly logs: readonly (readonly Uint8Array[])[]
}

/** Runs in a store; those of other worlds in the same store lie outside of the half hour before `now`. */
export interface World {
  readonly store: Store
  /** Where worker threads read the store by themselves. */
  readonly dataDir?: string
  readonly now: number
}

/** A world of runs whose logs are given as lines; every third line starts a block, so that context crosses borders. */
export async function worldOf(runs: readonly TestRun[], world: World = { store: createReferenceStore(), now: NOW }) {
  for (const [number, run] of runs.entries()) await addRun(world, run, number)
  return world
}

async function addRun({ store, now }: World, { job, minutesAgo, logs }: TestRun, number: number): Promise<void> {
  const time = now - minutesAgo * 60_000
  const key = { bucket: BUCKET, path: `logs/${job}/${now}-${number}` }
  const run: Run = {
    ...key,
    job,
    buildId: String(number),
    type: 'periodic',
    result: 'failure',
    time,
    timeSource: 'finished',
    warnings: [],
  }
  const version = await store.begin(run)
  const kindOf = (index: number) => (index === 0 ? 'build-log' : 'container-log')
  for (const [index, lines] of logs.entries())
    await store.append(version, { name: logName(index), kind: kindOf(index) }, blocksOf(lines))
  await store.publish(version, {
    run,
    fingerprint: 'f',
    firstSeen: time,
    logs: logs.map((lines, index) => ({
      name: logName(index),
      kind: kindOf(index),
      bytes: lines.reduce((sum, line) => sum + line.length + 1, 0),
      lines: lines.length,
    })),
    hits: [],
    tracks: [],
    exposures: [],
  })
}

export function logName(index: number): string {
  return index === 0 ? 'build-log.txt' : `artifacts/${index}.log`
}

function blocksOf(lines: readonly Uint8Array[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 3) {
    const cut = cutBlocks(lines.slice(at, at + 3))
    blocks.push(...cut.map((block) => ({ ...block, firstLine: block.firstLine + at })))
  }
  return blocks
}

export function cutBlocks(lines: readonly Uint8Array[]): Block[] {
  const cutter = new BlockCutter()
  const blocks = lines.flatMap((line) => cutter.push(Buffer.concat([line, Buffer.from('\n')])))
  return [...blocks, ...cutter.end()]
}

/** A run of logs as plain strings. */
export function plain(job: string, minutesAgo: number, ...logs: string[][]): TestRun {
  return { job, minutesAgo, logs: logs.map((lines) => lines.map((each) => Buffer.from(each))) }
}

const PIECES = ['a', 'b', 'ab', 'A', ' ', '1', 'é', '😀', '\u001b[31m', '\u001b]0;t\u0007', '\r', '\0', '\u2028', '_']
const line = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...PIECES).map((piece) => Buffer.from(piece)) },
      fc.constant(Buffer.of(0xff)),
      fc.constant(Buffer.of(0xe2, 0x82)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => Buffer.concat(pieces))
const longLine = fc
  .tuple(line, fc.integer({ min: 30_000, max: 50_000 }), line)
  .map(([start, length, end]) =>
    Buffer.concat([start, Buffer.from('cé').fill('cé', 0, 0), Buffer.alloc(length * 3, 'cé'), end]),
  )
const log = fc.array(fc.oneof({ weight: 200, arbitrary: line }, longLine), { minLength: 1, maxLength: 14 })
export const runs = fc.array(
  fc.record({
    job: fc.constantFrom('e2e', 'unit', 'é2e'),
    minutesAgo: fc.integer({ min: 1, max: 4 }),
    logs: fc.array(log, { minLength: 1, maxLength: 2 }),
  }),
  { maxLength: 5 },
)
export const { pattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.constantFrom('a', 'b', 'A', '.', '[ab]', '[^a]', '\\d', '\\s', '\\w', 'é', '\\b', '^', '$', 'c'),
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('atom'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}')).map(([a, op]) => `(?:${a})${op}`),
  ),
}))
export const query = fc.record({
  patterns: fc.array(pattern, { minLength: 1, maxLength: 2 }),
  context: fc.integer({ min: 0, max: 4 }),
})
