import type { Block } from '../model/block.ts'
import type { Hit } from '../model/hit.ts'
import type { Log, Run, RunKey } from '../model/run.ts'
import type { LogName, RunRecord, Store } from '../store/store.ts'

/** 2026-11-03T10:00Z, epoch ms. */
export const SAMPLE_TIME = Date.UTC(2026, 10, 3, 10)

/** A failed periodic run; its job and build id are those of the path. */
export function sampleRun(over: Partial<Run> = {}): Run {
  const path = over.path ?? 'logs/periodic-e2e/1'
  const [buildId = '', job = ''] = path.split('/').reverse()
  return {
    bucket: 'gs://sample',
    path,
    job,
    buildId,
    type: 'periodic',
    result: 'failure',
    time: SAMPLE_TIME,
    timeSource: 'finished',
    warnings: [],
    ...over,
  }
}

export function sampleHit(run: Run, over: Partial<Hit> = {}): Hit {
  return {
    bucket: run.bucket,
    path: run.path,
    job: run.job,
    time: run.time,
    signature: 'boskos-lease',
    definition: 'd1',
    log: 'build-log.txt',
    line: 1,
    text: 'EOF',
    before: [],
    after: [],
    cause: 'eof',
    resource: 'aws-1',
    placed: { earliest: run.time - 1000, latest: run.time, source: 'line' },
    ...over,
  }
}

/** Blocks of `perBlock` lines each. */
export function blocksOf(lines: readonly string[], perBlock = 2): Block[] {
  const starts = lines.map((_, i) => i).filter((i) => i % perBlock === 0)
  return starts.map((start) => {
    const part = lines.slice(start, start + perBlock)
    const bytes = Buffer.from(part.join('\n'))
    return { firstLine: start + 1, lineCount: part.length, bytes, ascii: bytes.every((byte) => byte < 0x80) }
  })
}

/** Blocks by the name of their log. */
export type Texts = Readonly<Record<string, readonly Block[]>>

export function logName(name: string): LogName {
  return { name, kind: name.endsWith('lease.log') ? 'container-log' : 'build-log' }
}

export function sampleLogs(texts: Texts): Log[] {
  return Object.entries(texts).map(([name, blocks]) => ({
    ...logName(name),
    bytes: blocks.reduce((sum, block) => sum + block.bytes.length, 0),
    lines: blocks.reduce((sum, block) => sum + block.lineCount, 0),
  }))
}

export function sampleRecord(run: Run, over: Partial<RunRecord> = {}): RunRecord {
  return { run, fingerprint: 'f1', firstSeen: run.time, logs: [], hits: [], tracks: [], exposures: [], ...over }
}

/** Publishes a run with the text of its logs. */
export async function putSample(store: Store, run: Run, texts: Texts = {}, over: Partial<RunRecord> = {}) {
  const version = await store.begin(run)
  for (const [log, blocks] of Object.entries(texts)) await store.append(version, logName(log), blocks)
  await store.publish(version, sampleRecord(run, { logs: sampleLogs(texts), ...over }))
}

export function keyOf({ bucket, path }: RunKey): RunKey {
  return { bucket, path }
}
