import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { type Config, readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import { runsIn } from '#lib/store/entry-counts.ts'
import { openStore } from '#lib/store/open.ts'
import type { Store } from '#lib/store/store.ts'

export interface CopyFlags {
  readonly data?: string
}

type Progress = (done: number, total: number) => void

/** What is said of counts in the last line. */
export function held(
  counts: Parameters<typeof runsIn>[0] & { readonly hits: Readonly<Record<string, readonly number[]>> },
): string {
  const hits = Object.values(counts.hits).reduce((sum, [count = 0]) => sum + count, 0)
  return `${runsIn(counts)} runs with ${hits} hits`
}

/** Where the store is, in words without credentials. */
export function placeOf({ dataDir, elastic }: Config): string {
  return elastic ? `Elasticsearch, ${elastic.prefix}-*` : dataDir
}

/** Opens the configured store for `use`, and closes it after. */
export async function withStore<T>(
  { dataDir, elastic }: Config,
  mode: 'read' | 'write',
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({ dataDir, elastic, mode, thread: true })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** A command that copies a store: reads its arguments, shows a bar, prints what `work` gives, and ends with 2 on an error. */
export async function copyCommand<F extends CopyFlags>(
  command: Command,
  work: (argument: string, flags: F, config: Config, onProgress: Progress) => Promise<string>,
): Promise<void> {
  command
    .option('--data <directory>', 'the data directory (default: PROWL_DATA, or ./data)')
    .configureOutput({
      outputError: (text, write) =>
        write(`prowl: CONFIG_INVALID: ${text.replace(/^error: /, '').trim()}; see --help\n`),
    })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse()
  const bar = new SingleBar({
    format: '{bar} {percentage} %',
    clearOnComplete: true,
    noTTYOutput: true,
    notTTYSchedule: 5000,
    stream: process.stderr,
  })
  let shown = false
  const onProgress: Progress = (done, total) => {
    if (!shown) bar.start(total, 0)
    shown = true
    bar.update(Math.round(done))
  }
  try {
    const flags = command.opts<F>()
    const said = await work(command.args[0] ?? '', flags, readConfig(undefined, undefined, flags.data), onProgress)
    bar.stop()
    console.log(said)
  } catch (error) {
    bar.stop()
    console.error(isProwlError(error) ? `prowl: ${error.code}: ${error.message}` : error)
    process.exitCode = 2
  }
}
