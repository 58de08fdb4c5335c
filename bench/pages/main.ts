import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import { sum } from 'd3-array'
import { loadCatalogue } from '#lib/signature/catalogue.ts'
import { openStore } from '#lib/store/open.ts'
import { openFolder, sizeOf } from '../disk.ts'
import { withSection } from '../render.ts'
import { whole } from '../whole.ts'
import { PagesFigures } from './figures.ts'
import { fill } from './fill.ts'
import { measurePages } from './measure.ts'
import { pagesTable } from './table.ts'

interface Flags {
  readonly runs: number
  readonly requests: number
  readonly dir?: string
  readonly json?: string
  readonly render?: string
}

const command = new Command('npm run bench:pages --')
  .description('How long the pages take over a catalogue of many runs: makes one, serves it, and asks for each page.')
  .argument('[json]', 'with --render: what --json wrote')
  .option('--runs <n>', 'of the catalogue; 3.6 million are 10,000 a day for a year', whole, 3_600_000)
  .option('--requests <n>', 'for each page', whole, 100)
  .option('--dir <directory>', 'use the catalogue there, or make it there and keep it (default: a temporary one)')
  .option('--json <file>', 'write the figures there')
  .option('--render <page>', 'measure nothing: write the table of the figures into this page')
  .addHelpText('after', '\nNeeds a built app (npx next build). 3.6 million runs take some ten minutes and 15 GB.')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

async function main([file]: readonly string[], flags: Flags): Promise<void> {
  if (flags.render !== undefined) {
    if (file === undefined) throw new Error('--render takes the file that --json wrote')
    const figures = PagesFigures.parse(JSON.parse(readFileSync(file, 'utf8')))
    writeFileSync(flags.render, withSection(readFileSync(flags.render, 'utf8'), 'pages', pagesTable(figures)))
    return
  }
  const { runs, requests } = flags
  const { dir: dataDir, close } = openFolder(flags.dir)
  process.once('exit', close)
  const tell = (text: string) => process.stderr.isTTY && console.error(text)
  if ((await held(dataDir)).runs === 0)
    await fill({ dataDir, runs, end: Date.now(), catalogue: await loadCatalogue(['signatures']), tell })
  const pages = await measurePages({ dataDir, requests, tell })
  const machine = { cores: availableParallelism(), node: process.versions.node }
  const figures = { ...machine, ...(await held(dataDir)), catalogueBytes: sizeOf(dataDir), requests, pages }
  for (const part of pagesTable(figures)) console.log(part)
  if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(figures, null, 2)}\n`)
}

async function held(dataDir: string) {
  const store = await openStore({ dataDir, mode: 'read' })
  const [status, incidents] = await Promise.all([store.status(), store.incidents({})])
  await store.close()
  return { runs: sum(Object.values(status.runs)), hits: status.hits, incidents: incidents.length }
}

const { args } = command.parse()
try {
  await main(args, command.opts<Flags>())
} catch (error) {
  console.error(`bench: ${(error as Error).message}`)
  process.exitCode = 2
}
