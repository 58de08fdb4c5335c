import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import { serve } from './start/serve.ts'

export interface StartOptions {
  readonly bucket?: string
  readonly preset?: string
  readonly deck?: string
  readonly auth?: string
  readonly jobs?: string
  readonly excludeJobs?: string
  readonly since?: string
  readonly backfill?: string
  readonly keepDays?: string
  readonly maxBandwidth?: string
  readonly every: string
  readonly port?: number
  readonly data?: string
}

function port(value: string): number {
  const n = Number(value)
  if (!/^\d+$/.test(value) || n > 65535) throw new InvalidArgumentError('a port is a number from 0 to 65535.')
  return n
}

const program = new Command('npm start --')
  .description(
    'Reads Prow runs, serves the web app and keeps following the bucket. Without --bucket it makes and reads a sample bucket.',
  )
  .option('--bucket <bucket>', 'gs://name or a directory of the same shape (default without --preset: a sample bucket)')
  .option('--preset <name>', 'a known deployment: its bucket, and its Deck to ask for runs (openshift, kubernetes, …)')
  .option('--deck <host>', 'a Deck to ask for the bucket’s runs')
  .option('--auth <how>', 'adc: read with Google’s application default credentials (default: anonymously)')
  .option('--jobs <regex>', 'read only jobs whose name matches (RE2)')
  .option('--exclude-jobs <regex>', 'leave out jobs whose name matches (RE2)')
  .option('--since <duration>', 'how far back the first pass reads, e.g. 14d, or all')
  .option('--backfill <from..to>', 'also read the runs of a past period, as 2026-08-01..2026-09-01 (UTC)')
  .option('--keep-days <days>', 'delete the text of older logs, not their hits (default: keep all)')
  .option('--max-bandwidth <bytes>', 'bytes a second that are read at most, as 20MiB')
  .option('--every <duration>', 'how often the bucket is looked at again', '60s')
  .option('--port <n>', 'port of the web app (default: PORT, else 3000)', port)
  .option('--data <dir>', 'data directory (default: PROWL_DATA, else ./data)')
  .addHelpText('after', '\nExample: npm start -- --preset openshift --jobs e2e-aws --since 2d')

program.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
program.parse()

try {
  const options = program.opts<StartOptions>()
  const env = {
    ...process.env,
    ...(options.data ? { PROWL_DATA: options.data } : {}),
    ...(options.port === undefined ? {} : { PORT: String(options.port) }),
  }
  process.exitCode = await serve(options, readConfig(env), env)
} catch (error) {
  if (!isProwlError(error)) throw error
  console.error(`prowl: ${error.code}: ${error.message}`)
  process.exitCode = 2
}
