import { Command, InvalidArgumentError, Option } from 'commander'
import ms, { type StringValue } from 'ms'
import type { BackfillPeriod } from './backfill.ts'
import { DEFAULT_LOG_GLOBS } from './read/log-globs.ts'

export interface Flags {
  readonly bucket?: string
  readonly preset?: string
  readonly deck?: string
  readonly auth: 'anonymous' | 'adc'
  readonly run?: string
  readonly jobs?: string
  readonly excludeJobs?: string
  readonly since: number | 'all'
  readonly backfill?: BackfillPeriod
  readonly follow?: boolean
  readonly every: number
  readonly logGlob?: string[]
  readonly maxLogBytes: number
  readonly concurrency?: number
  readonly maxBandwidth?: number
  readonly keepDays: number
  readonly data?: string
}

/** The command line of the worker. A fault in it ends the process: one line, status 2. */
export function command(): Command {
  return new Command('npm run ingest --')
    .description('Reads the runs of a Prow bucket into the data directory: once, or for as long as it is followed.')
    .option('--bucket <bucket>', 'gs://name of a bucket, or a directory of the same shape')
    .option(
      '--preset <name>',
      'a known deployment: its bucket, and its Deck to ask for runs (openshift, kubernetes, …)',
    )
    .option('--deck <host>', 'a Deck to ask for the bucket’s runs, such as prow.k8s.io')
    .addOption(
      new Option('--auth <how>', 'adc: with Google’s application default credentials')
        .choices(['anonymous', 'adc'])
        .default('anonymous'),
    )
    .option('--run <url>', 'only this run, by its address: Spyglass’s, gcsweb’s or gs://bucket/logs/job/id')
    .option('--jobs <regex>', 'only jobs whose name matches (RE2)')
    .option('--exclude-jobs <regex>', 'no jobs whose name matches (RE2)')
    .addOption(parsed('--since <time>', 'only runs that began within this time, as 14d or 36h; or all', since, '14d'))
    .addOption(
      new Option('--backfill <from..to>', 'the runs of a past period, as 2026-08-01..2026-09-01 (UTC)').argParser(
        period,
      ),
    )
    .option('--follow', 'go on reading what comes, until stopped; waits for an empty bucket to fill')
    .addOption(parsed('--every <time>', 'how often a followed bucket is looked at', duration, '60s'))
    .option('--log-glob <glob...>', `logs to read, below the run: * in a name, ** for any directories\n${DEFAULTS}`)
    .addOption(parsed('--max-log-bytes <bytes>', 'decoded, of one log: its middle is left out beyond', size, '64MiB'))
    .option('--concurrency <runs>', 'runs read at once (default: 8 of a storage bucket, 2 of a directory)', count)
    .option(
      '--max-bandwidth <bytes>',
      'bytes a second that are transferred at most, as 20MiB (default: no limit)',
      size,
    )
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
  npm run ingest -- --preset openshift --jobs '^periodic-.*-e2e-' --since 3d --follow
  npm run ingest -- --bucket gs://kubernetes-ci-logs --backfill 2026-08-01..2026-09-01
  npm run ingest -- --bucket ./mirror --since all --follow --every 5m
  npm run ingest -- --run https://prow.k8s.io/view/gs/kubernetes-ci-logs/logs/ci-e2e/1146154541064884225

Options in full: docs/ingest.md`

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

function period(text: string): BackfillPeriod {
  const [from, to, ...more] = text.split('..').map(instant)
  if (from === undefined || to === undefined || more.length > 0 || !(from < to))
    throw new InvalidArgumentError('give two days or instants, the earlier first, such as 2026-08-01..2026-09-01')
  return { from, to }
}

/** A day's start or an instant, both UTC, as epoch ms. */
function instant(text: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  return isDay || /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
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
