import { Command, InvalidArgumentError, Option } from 'commander'
import ms, { type StringValue } from 'ms'
import { readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import { progressPrinter } from './progress.ts'
import { DEFAULT_LOG_GLOBS } from './read/log-globs.ts'
import { runIngest } from './run-ingest.ts'

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
/** What is cut off and still does not end has this long. What was published is safe. */
const CUT_OFF_MS = 5_000

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
  abort.signal.addEventListener('abort', () => setTimeout(() => process.exit(0), CUT_OFF_MS).unref())
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
        // `npm start` waits for it before it names an address.
        onOpen: () => process.send?.('reading'),
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
  return new Command('npm run ingest --')
    .description('Reads the runs of a Prow bucket into the data directory: once, or for as long as it is followed.')
    .requiredOption('--bucket <bucket>', 'gs://name of a public bucket, or a directory of the same shape')
    .option('--jobs <regex>', 'only jobs whose name matches (RE2)')
    .option('--exclude-jobs <regex>', 'no jobs whose name matches (RE2)')
    .addOption(parsed('--since <time>', 'only runs that began within this time, as 14d or 36h; or all', since, '14d'))
    .option('--follow', 'go on reading what comes, until stopped; waits for an empty bucket to fill')
    .addOption(parsed('--every <time>', 'how often a followed bucket is looked at', duration, '60s'))
    .option('--log-glob <glob...>', `logs to read, below the run: * in a name, ** for any directories\n${DEFAULTS}`)
    .addOption(parsed('--max-log-bytes <bytes>', 'decoded, of one log: its middle is left out beyond', size, '64MiB'))
    .option('--concurrency <runs>', 'runs read at once (default: 8 of a storage bucket, 2 of a directory)', count)
    .addOption(parsed('--keep-days <days>', 'delete the text of older logs, not their hits; 0 keeps all', whole, '0'))
    .option('--data <directory>', 'where to keep what is read (default: PROWL_DATA, or ./data)')
    .addHelpText('after', EXAMPLES)
    .configureOutput({
      outputError: (text, write) =>
        write(`prowl: CONFIG_INVALID: ${text.replace(/^error: /, '').trim()}; see --help\n`),
    })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
}

const DEFAULTS = `(default: ${DEFAULT_LOG_GLOBS.join('\n')})`

const EXAMPLES = `
Examples:
  npm run ingest -- --bucket gs://test-platform-results --jobs '^periodic-.*-e2e-' --since 3d
  npm run ingest -- --bucket ./mirror --since all --follow --every 5m

Options in full: docs/operations.md`

/** An option whose default is written as people write it. */
function parsed<T>(flags: string, description: string, parse: (text: string) => T, standard: string): Option {
  return new Option(flags, description).argParser(parse).default(parse(standard), standard)
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

function size(text: string): number {
  const [, number, unit = ''] = /^(\d{1,9})([KMG]iB)?$/.exec(text) ?? []
  const bytes = Number(number) * 1024 ** ['', 'KiB', 'MiB', 'GiB'].indexOf(unit)
  if (!(bytes >= 1024)) throw new InvalidArgumentError('give at least 1024 bytes, such as 64MiB')
  return bytes
}

await main(process.argv)
