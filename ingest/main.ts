import { workInBackground } from '#lib/background.ts'
import { type Config, readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import type { Log } from '#lib/log/log.ts'
import { command, type Flags } from './flags.ts'
import type { IngestHooks, IngestOptions } from './options.ts'
import { printRun } from './print-run.ts'
import { type ProgressPrinter, progressPrinter } from './progress.ts'
import { runIngest, runIngestOfOne } from './run-ingest.ts'
import { logEnd, logged, workerLog } from './worker-log.ts'

/** After a signal, runs under way have this long to end before they are cut off. */
const GRACE_MS = 10_000
/** What is cut off and still does not end has this long. What was published is safe. */
const CUT_OFF_MS = 5_000

async function main(argv: readonly string[]): Promise<void> {
  workInBackground()
  const flags = command().parse(argv).opts<Flags>()
  const { stop, abort } = onSignals()
  const printer = progressPrinter(process.stdout)
  let log: Log | undefined
  try {
    const config = readConfig(undefined, undefined, flags.data)
    log = workerLog(config, process.stderr)
    const options = optionsOf(flags, config)
    const hooks = logged({ ...tellingHooks(printer), stop, abort }, log, () => performance.now())
    if (flags.run === undefined) await runIngest(options, hooks)
    else printRun(process.stdout, await runIngestOfOne(flags.run, options, hooks))
  } catch (error) {
    printer.end()
    const isCoded = isProwlError(error)
    // A refusal of what was asked is one line; who follows is a service, whose log tells how it ended.
    if (log && (flags.follow || !isCoded)) logEnd(log, error)
    if (isCoded) console.error(`prowl: ${error.code}: ${error.message}`)
    process.exitCode = isCoded ? 2 : 1
  } finally {
    printer.end()
  }
}

function tellingHooks(printer: ProgressPrinter): IngestHooks {
  return {
    // `npm start` waits for it before it names an address.
    onOpen: () => process.send?.('reading'),
    onProgress: printer.progress,
    onPass: printer.pass,
    onStandby: printer.standby,
  }
}

/** The first signal stops, a second one or the end of the grace time aborts. */
function onSignals(): { readonly stop: AbortSignal; readonly abort: AbortSignal } {
  const stop = new AbortController()
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (stop.signal.aborted) abort.abort()
      stop.abort()
      setTimeout(() => abort.abort(), GRACE_MS).unref()
    })
  abort.signal.addEventListener('abort', () => setTimeout(() => process.exit(0), CUT_OFF_MS).unref())
  return { stop: stop.signal, abort: abort.signal }
}

function optionsOf(flags: Flags, config: Config): IngestOptions {
  const { logGlob, maxBandwidth, since, follow, every, run: _, data: __, ...same } = flags
  return {
    ...same,
    dataDir: config.dataDir,
    elastic: config.elastic,
    signatureDirs: config.signatureDirs,
    deploymentsFile: config.deploymentsFile,
    gcsEndpoint: config.gcsEndpoint,
    webhook: config.webhook,
    publicUrl: config.publicUrl,
    bandwidth: maxBandwidth,
    sinceMs: since === 'all' ? undefined : since,
    everyMs: follow ? every : undefined,
    logGlobs: logGlob,
  }
}

await main(process.argv)
