import { isProwlError } from '#lib/errors.ts'
import type { Block } from '#lib/model/block.ts'
import { snowflakeTime } from '#lib/model/build-id.ts'
import type { Log, LogKind, Run } from '#lib/model/run.ts'
import type { LogMatcher } from '#lib/signature/log-matcher.ts'
import { isComplete, type SignatureMatcher } from '#lib/signature/run-matcher.ts'
import type { RunRecord, Store, Version } from '#lib/store/store.ts'
import { withGrams } from '#lib/text/index-text.ts'
import { createFailureFinder, isFailed } from '#lib/triage/failure-finder.ts'
import { Appender } from './appender.ts'
import { CappedLog } from './read/capped-log.ts'
import { junitText } from './read/junit-text.ts'
import { logKind } from './read/log-globs.ts'
import type { Look } from './read/look.ts'
import { prowLog } from './read/prow-log.ts'
import type { ObjectInfo, Source } from './source/source.ts'

export interface WriteOptions {
  readonly source: Source
  readonly store: Store
  readonly matcher: SignatureMatcher
  /** Of one log, decoded; its middle is left out beyond that. */
  readonly maxLogBytes: number
  readonly onBytes: (bytes: number) => void
  readonly signal?: AbortSignal | undefined
}

/** A log that goes on this many times its cap is no log: what comes after is not waited for. */
const MAX_OVER_CAP = 64

/** Streams the run's logs into the store and publishes it. Throws OBJECT_* where an object could not be had whole. */
export async function writeRun(look: Look, options: WriteOptions): Promise<void> {
  const { store, matcher } = options
  const { run } = look.described
  const version = await store.begin(run)
  const matching = matcher.startRun({ ...run, ...idTimeOf(run) })
  const failing = isFailed(run.result) ? createFailureFinder() : undefined
  const logs: Log[] = []
  const write = async (name: string, kind: LogKind, chunks: AsyncIterable<Uint8Array>) => {
    const readers = [matching.startLog({ name, kind }), failing?.startLog({ name, kind })]
    const log = await writeLog({ version, name, kind, chunks, readers, options })
    logs.push(log)
  }
  for (const [name, info] of look.logs) await write(name, logKind(name), chunksOf(info, logKind(name), options))
  if (run.result !== 'success' && run.result !== 'pending' && !logs.some(isBuildLogWithText)) {
    const text = prowLog(look.described)
    if (text !== '') await write('prow', 'prow', once(text))
  }
  const complete = isComplete(run, logs)
  const { hits, tracks, exposures } = matching.finish({ complete })
  const failure = failing?.finish()
  const kept = logs.filter((log) => log.kind !== 'junit' || log.lines > 0 || log.broken !== undefined)
  const { fingerprint, firstSeen } = look
  const told = failure ? { ...run, failure } : run
  const record: RunRecord = { run: told, fingerprint, firstSeen, logs: kept, hits, tracks, exposures }
  await store.publish(version, record)
}

interface LogWriting {
  readonly version: Version
  readonly name: string
  readonly kind: LogKind
  readonly chunks: AsyncIterable<Uint8Array>
  /** What looks at the log's blocks. */
  readonly readers: readonly (LogMatcher | undefined)[]
  readonly options: WriteOptions
}

async function writeLog({ version, name, kind, chunks, readers, options }: LogWriting): Promise<Log> {
  const log = new CappedLog(options.maxLogBytes)
  const appender = new Appender(options.store, version, { name, kind })
  const take = async (blocks: readonly Block[]) => {
    const known = blocks.map(withGrams)
    for (const block of known) for (const reader of readers) reader?.block(block)
    await appender.take(known)
  }
  let broken: string | undefined
  try {
    for await (const chunk of chunks) {
      options.onBytes(chunk.byteLength)
      await take(log.push(chunk))
      if (log.received > options.maxLogBytes * MAX_OVER_CAP) {
        broken = `longer than ${options.maxLogBytes * MAX_OVER_CAP} bytes: the rest was not read`
        break
      }
    }
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'OBJECT_BROKEN') throw error
    broken = error.message
  }
  for (const blocks of log.end()) await take(blocks)
  await appender.end()
  for (const reader of readers) reader?.end()
  return { name, kind, ...log.counts, ...(broken === undefined ? {} : { broken }) }
}

function chunksOf(info: ObjectInfo, kind: LogKind, { source, signal }: WriteOptions): AsyncIterable<Uint8Array> {
  const chunks = source.read(info.name, { generation: info.generation, ...(signal ? { signal } : {}) })
  return kind === 'junit' ? junitText(chunks) : chunks
}

function idTimeOf({ buildId }: Run): { idTime?: number } {
  const idTime = snowflakeTime(buildId)
  return idTime === undefined ? {} : { idTime }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

function isBuildLogWithText(log: Log): boolean {
  return log.kind === 'build-log' && log.bytes > 0
}
