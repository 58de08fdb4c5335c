import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile } from 'd3-array'
import { openStore } from '#lib/store/open.ts'
import { Processes } from '../../scripts/start/processes.ts'
import { serveApp } from '../../scripts/testing/app.ts'
import type { PageFigure } from './figures.ts'
import { NEEDLE } from './fill.ts'

const GRACE_MS = 10_000
const LOOP_DELAY = fileURLToPath(new URL('loop-delay.ts', import.meta.url))

export interface MeasureOptions {
  readonly dataDir: string
  /** Requests for each page. */
  readonly requests: number
  readonly tell: (text: string) => void
}

/** Serves the catalogue with the built app, and asks for each page again and again, one request at a time. */
export async function measurePages({ dataDir, requests, tell }: MeasureOptions): Promise<PageFigure[]> {
  const loopFile = join(dataDir, 'loop-delay')
  const env = { ...process.env, PROWL_DATA: dataDir, PAGES_LOOP: loopFile, NEXT_TELEMETRY_DISABLED: '1' }
  const processes = new Processes()
  try {
    const base = await serveApp(processes, { env, node: ['--import', LOOP_DELAY] })
    const figures: PageFigure[] = []
    for (const { name, path } of await pagesOf(dataDir)) {
      const figure = await measure({ name, url: base + path, requests, held: () => heldUp(processes, loopFile) })
      tell(`pages: ${name}: p95 ${figure.p95Ms.toFixed(0)} ms`)
      figures.push(figure)
    }
    return figures
  } finally {
    await processes.stop(GRACE_MS)
  }
}

/** Those that PERFORMANCE's target names, and what else a person opens. */
async function pagesOf(dataDir: string): Promise<{ readonly name: string; readonly path: string }[]> {
  const store = await openStore({ dataDir, mode: 'read' })
  const [incident] = await store.incidents({ signature: 'boskos.heartbeat' })
  const { items } = await store.runs({ results: ['failure'] }, { limit: 1 })
  await store.close()
  const [run] = items
  if (!incident || !run) throw new Error('so few runs have no incident or no failure; give more --runs')
  return [
    { name: 'triage', path: '/' },
    { name: 'signature, an outage', path: '/signatures/boskos.heartbeat' },
    { name: 'signature, per run', path: '/signatures/cloud.quota' },
    { name: 'run', path: `/runs/gs/pages/${run.path}` },
    { name: 'incident', path: `/incidents/${incident.id}` },
    { name: 'search with its impact line', path: `/search?search=${encodeURIComponent(NEEDLE)}&maxAge=336h` },
    { name: 'coverage', path: '/coverage' },
    { name: 'job', path: `/jobs/${run.job}` },
    { name: 'status', path: '/status' },
  ]
}

async function measure({
  name,
  url,
  requests,
  held,
}: {
  readonly name: string
  readonly url: string
  readonly requests: number
  readonly held: () => Promise<number>
}): Promise<PageFigure> {
  const firstMs = await timed(url)
  const firstHeldMs = await held()
  const times: number[] = []
  for (let i = 0; i < requests; i++) times.push(await timed(url))
  return {
    name,
    firstMs,
    firstHeldMs,
    medianMs: quantile(times, 0.5) ?? 0,
    p95Ms: quantile(times, 0.95) ?? 0,
    heldMs: await held(),
  }
}

async function timed(url: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - started
}

/** The longest that the server's event loop was held up since the last time, ms. */
async function heldUp(server: Processes, file: string): Promise<number> {
  rmSync(file, { force: true })
  server.signal('SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10)
  return Number(readFileSync(file, 'utf8'))
}
