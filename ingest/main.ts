import { Command, InvalidArgumentError } from 'commander'
import ms, { type StringValue } from 'ms'
import { readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import { progressPrinter } from './progress.ts'
import { DEFAULT_LOG_GLOBS } from './read/log-globs.ts'
import { DEFAULT_MAX_LOG_BYTES, runIngest } from './run-ingest.ts'

interface Flags {
  readonly bucket: string
  readonly jobs?: string
  readonly excludeJobs?: string
  readonly since: number | 'all'
  readonly follow?: boolean
  readonly every: number
  readonly logGlob?: string[]
  readonly maxLogBytes: number
  readonly concurrency?: number
  readonly keepDays: number
  readonly data?: string
}

/** After a signal, runs under way have this long to end before they are cut off. */
const GRACE_MS = 10_000

async function main(argv: readonly string[]): Promise<void> {
  const flags = command().parse(argv).opts<Flags>()
  const stop = new AbortController()
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (stop.signal.aborted) abort.abort()
      stop.abort()
      setTimeout(() => abort.abort(), GRACE_MS).unref()
    })
  const printer = progressPrinter(process.stdout)
  try {
    const config = readConfig(undefined, undefined, flags.data)
    await runIngest(
      {
        bucket: flags.bucket,
        dataDir: config.dataDir,
        signatureDirs: config.signatureDirs,
        gcsEndpoint: config.gcsEndpoint,
        jobs: flags.jobs,
        excludeJobs: flags.excludeJobs,
        sinceMs: flags.since === 'all' ? undefined : flags.since,
        everyMs: flags.follow ? flags.every : undefined,
        logGlobs: flags.logGlob,
        maxLogBytes: flags.maxLogBytes,
        concurrency: flags.concurrency,
        keepDays: flags.keepDays,
      },
      {
        stop: stop.signal,
        abort: abort.signal,
        onProgress: printer.progress,
        onPass: printer.pass,
        onWarning: (message) => console.error(`prowl: warning: ${message}`),
      },
    )
  } catch (error) {
    printer.end()
    console.error(isProwlError(error) ? `prowl: ${error.code}: ${error.message}` : error)
    process.exitCode = isProwlError(error) ? 2 : 1
  } finally {
    printer.end()
  }
}

function command(): Command {
  return new Command('prowl ingest')
    .description('Reads the runs of a Prow bucket into the data directory: once, or for as long as it is followed.')
    .requiredOption('--bucket <bucket>', 'gs://name of a public bucket, or a directory of the same shape')
    .option('--jobs <regex>', 'only jobs whose name matches (RE2)')
    .option('--exclude-jobs <regex>', 'no jobs whose name matches (RE2)')
    .option('--since <time>', 'only runs that began within this time, such as 14d or 36h; or all', since, since('14d'))
    .option('--follow', 'go on reading what comes, until stopped; waits for an empty bucket to fill')
    .option('--every <time>', 'how often a followed bucket is looked at', duration, duration('60s'))
    .option(
      '--log-glob <glob...>',
      `logs to read, below the run (default: ${DEFAULT_LOG_GLOBS.join(' ')}); * is a name, ** any directories`,
    )
    .option(
      '--max-log-bytes <bytes>',
      'of one log, decoded; its middle is left out beyond',
      count,
      DEFAULT_MAX_LOG_BYTES,
    )
    .option('--concurrency <runs>', 'runs read at once (default: 8 of a bucket, 2 of a directory)', count)
    .option('--keep-days <days>', 'delete log text older than this; hits stay; 0 keeps all', whole, 0)
    .option('--data <directory>', 'where to keep what is read (default: PROWL_DATA, or ./data)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
}

function duration(text: string): number {
  const value = ms(text as StringValue) as number | undefined
  if (value === undefined || !(value >= 1000)) throw new InvalidArgumentError('give a time such as 60s, 36h or 14d')
  return value
}

function since(text: string): number | 'all' {
  return text === 'all' ? 'all' : duration(text)
}

function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('give a whole number')
  return Number(text)
}

function count(text: string): number {
  const value = whole(text)
  if (value < 1) throw new InvalidArgumentError('give a number above 0')
  return value
}

await main(process.argv)
