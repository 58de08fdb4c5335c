import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import { quantile } from 'd3-array'
import prettyBytes from 'pretty-bytes'
import type { Log } from '#lib/model/run.ts'
import { formatRunPath } from '#lib/model/run-path.ts'
import { openStore } from '#lib/store/open.ts'
import { Processes } from '../../scripts/start/processes.ts'
import { serveApp } from '../../scripts/testing/app.ts'
import { openFolder } from '../disk.ts'
import { table, withSection } from '../render.ts'
import { shown, verdict } from '../targets.ts'
import { whole } from '../whole.ts'
import { fillLong, LAST_LINE, LONG_RUN } from './fill.ts'

interface Flags {
  readonly size: number
  readonly requests: number
  readonly dir?: string
  readonly render?: string
}

const MOST_MS = 1_000
const GRACE_MS = 10_000
const MB = 1_000_000

const command = new Command('npm run bench:long --')
  .description('How long the run page takes over one very long log: makes one, serves it, and opens it here and there.')
  .option('--size <MB>', 'of the log', whole, 500)
  .option('--requests <n>', 'for each page', whole, 10)
  .option('--dir <directory>', 'use the store there, or make it there and keep it (default: a temporary one)')
  .option('--render <page>', 'also write the table into this page')
  .addHelpText('after', '\nNeeds a built app (npx next build).')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

async function main({ size, requests, dir, render }: Flags): Promise<void> {
  const { dir: dataDir, close } = openFolder(dir)
  process.once('exit', close)
  if (!(await storedLog(dataDir))) await fillLong(dataDir, size * MB)
  const log = await storedLog(dataDir)
  if (!log) throw new Error('the log was not stored')
  const parts = [
    `- One log of ${prettyBytes(log.bytes)} and ${log.lines} lines; ${requests} requests for each page, one at a time; ${availableParallelism()} cores, Node ${process.versions.node}.`,
    table(['page', 'first', 'median', `slowest (≤ ${MOST_MS} ms)`], await measureLong(dataDir, log, requests)),
  ]
  for (const part of parts) console.log(part)
  if (render !== undefined) writeFileSync(render, withSection(readFileSync(render, 'utf8'), 'long', parts))
}

async function storedLog(dataDir: string): Promise<Log | undefined> {
  const store = await openStore({ dataDir, mode: 'write' })
  const stored = await store.run(LONG_RUN)
  await store.close()
  return stored?.logs[0]
}

/** What is asked of the run, by what it is called in the table. */
function pagesOf({
  lines,
  bytes,
}: Log): readonly { readonly name: string; readonly path: string; readonly headers?: HeadersInit }[] {
  const page = `/runs/${formatRunPath(LONG_RUN)}`
  const raw = `/api/v1/raw/${formatRunPath(LONG_RUN)}`
  const find = (pattern: string) => ({
    name: `find \`${pattern}\``,
    path: `${page}?${new URLSearchParams({ find: pattern })}`,
  })
  return [
    { name: 'the run, at its end', path: page },
    { name: 'its first line', path: `${page}?line=1` },
    { name: 'the middle', path: `${page}?line=${Math.floor(lines / 2)}` },
    { name: '1,000 lines from there', path: `${page}?line=${Math.floor(lines / 2)}&to=${Math.floor(lines / 2) + 999}` },
    find(LAST_LINE),
    find('no route to host'),
    find('panic'),
    find('[0-9]+m[0-9]+\\.[0-9]{3}s'),
    find('no such line is in it'),
    { name: 'raw, the first 64 kB', path: raw, headers: { range: 'bytes=0-65535' } },
    { name: 'raw, the last 64 kB', path: raw, headers: { range: `bytes=${bytes - 65_536}-` } },
  ]
}

async function measureLong(dataDir: string, log: Log, requests: number): Promise<string[][]> {
  const processes = new Processes()
  try {
    const env = { ...process.env, PROWL_DATA: dataDir, NEXT_TELEMETRY_DISABLED: '1' }
    const base = await serveApp(processes, { env })
    const rows: string[][] = []
    for (const { name, path, headers = {} } of pagesOf(log)) {
      const firstMs = await timed(base + path, headers)
      const times: number[] = []
      for (let i = 0; i < requests; i++) times.push(await timed(base + path, headers))
      const most = Math.max(...times)
      const told = `${shown(most)} ms, ${verdict(most, { atMost: MOST_MS })}`
      rows.push([name, `${shown(firstMs)} ms`, `${shown(quantile(times, 0.5) ?? 0)} ms`, told])
    }
    return rows
  } finally {
    await processes.stop(GRACE_MS)
  }
}

async function timed(url: string, headers: HeadersInit): Promise<number> {
  const started = performance.now()
  const response = await fetch(url, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - started
}

try {
  await main(command.parse().opts<Flags>())
} catch (error) {
  console.error(`bench: ${(error as Error).message}`)
  process.exitCode = 2
}
