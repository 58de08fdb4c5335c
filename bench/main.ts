import { writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { hasElasticsearch, NO_ELASTICSEARCH } from '#lib/testing/elasticsearch.ts'
import { bench } from './bench.ts'
import { checkDirty } from './dirty.ts'
import { checkRoom, openFolder } from './disk.ts'
import { readFigures } from './figures.ts'
import { isSampled, PATTERNS } from './patterns.ts'
import { renderInto } from './render.ts'
import { printTables } from './table.ts'
import { whole } from './whole.ts'

interface Flags {
  readonly size: number
  readonly days: number
  readonly dir?: string
  readonly seed: number
  readonly runs: number
  readonly json?: string
  readonly all?: boolean
  readonly sample?: boolean
  readonly reuse?: boolean
  readonly dirty?: boolean
  readonly elasticsearch?: boolean
  readonly signatures?: boolean
  readonly render?: string
}

const UNITS: Readonly<Record<string, number>> = { MiB: 2 ** 20, GiB: 2 ** 30 }
const EXAMPLES = `
Examples:
  npm run bench -- --size 64MiB
  npm run bench -- --size 1GiB --json 1gib.json
  npm run bench -- --size 256MiB --elasticsearch --sample --json stores.json
  npm run bench -- --render docs/performance.md 1gib.json 10gib.json

Ends with 1 where counts differ, with 2 on an error; never because of a time.`

const command = new Command('npm run bench --')
  .description('Races prowl against ripgrep over a corpus made from a seed. What the columns mean: bench/README.md')
  .argument('[json...]', 'with --render: what --json wrote, a column each')
  .option('--size <size>', 'of the corpus, or of each of its days, as 64MiB or 1GiB', size, 2 ** 26)
  .option('--days <n>', 'day files to spread it over; of more than one the raw text is not kept', whole, 1)
  .option('--dir <directory>', 'where corpus and store are made and kept (default: a temporary one, removed)')
  .option('--seed <n>', 'another corpus of the same kind', whole, 1)
  .option('--runs <n>', 'of each measurement, of which the median counts; 1 also leaves out the warm-up', whole, 5)
  .option('--json <file>', 'write the figures there')
  .option('--all', 'ci-search mode runs every pasted pattern, not one in eight')
  .option('--sample', 'of the pasted patterns, only one in eight runs')
  .option('--reuse', 'race over what --dir holds already')
  .option('--dirty', 'also compare a small corpus of escape codes and bad bytes with brute force')
  .option('--elasticsearch', 'also ingest into a real Elasticsearch, and search both stores side by side')
  .option(
    '--signatures',
    'also measure what 50 signatures cost when logs are read, and what the index saves at an edit',
  )
  .option('--render <page>', 'no race: write the targets table of the figures into this page')
  .addHelpText('after', EXAMPLES)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

async function main(files: readonly string[], flags: Flags): Promise<number> {
  if (flags.render !== undefined) {
    renderInto(flags.render, files.map(readFigures))
    return 0
  }
  if (flags.days > 1) checkKept(flags)
  if (flags.elasticsearch && !hasElasticsearch()) throw new Error(NO_ELASTICSEARCH)
  const folder = openFolder(flags.dir)
  const leave = () => process.exit(130)
  process.once('exit', folder.close).once('SIGINT', leave).once('SIGTERM', leave)
  if (!flags.reuse) checkRoom(folder.dir, flags.size, flags.days)
  const patterns = flags.sample ? PATTERNS.filter(isSampled) : PATTERNS
  const { all = false, reuse = false, elasticsearch = false, signatures = false } = flags
  const options = { ...flags, patterns, bytes: flags.size, all, reuse, elasticsearch, signatures }
  const tell = (text: string) => process.stderr.isTTY && console.error(text)
  const { figures, faults } = await bench(folder.dir, { ...options, tell })
  const dirtyFaults = flags.dirty ? await checkDirty(folder.dir, flags.seed, tell) : []
  printTables(figures)
  if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(figures, null, 2)}\n`)
  const allFaults = [...faults, ...dirtyFaults]
  for (const fault of allFaults) console.error(`bench: counts differ: ${fault}`)
  console.log(allFaults.length === 0 ? 'Every engine counted the same lines.' : `${allFaults.length} counts differ.`)
  return allFaults.length === 0 ? 0 : 1
}

function checkKept({ elasticsearch, signatures }: Flags): void {
  const again = elasticsearch ? '--elasticsearch' : signatures ? '--signatures' : undefined
  if (again) throw new Error(`${again} takes one day: the raw text of more is not kept to be read again`)
}

function size(text: string): number {
  const [, number, unit] = /^(\d{1,6})(MiB|GiB)$/.exec(text) ?? []
  const bytes = Number(number) * (UNITS[unit ?? ''] ?? 0)
  if (!(bytes > 0)) throw new InvalidArgumentError('give a size such as 64MiB or 1GiB')
  return bytes
}

const { args } = command.parse()
try {
  process.exitCode = await main(args, command.opts<Flags>())
} catch (error) {
  console.error(`bench: ${(error as Error).message}`)
  process.exitCode = 2
}
