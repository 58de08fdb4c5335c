import { setTimeout as sleep } from 'node:timers/promises'
import { quantileSorted } from 'd3-array'
import { Agent, request } from 'undici'
import { type Random, random } from '#lib/testing/sample/random.ts'

/** What readers ask for, and how often among a hundred; a word in an address makes each search another. */
const ASKED: readonly (readonly [name: string, share: number, path: (draws: Random) => string])[] = [
  ['triage', 20, () => '/'],
  ['signature', 15, () => '/signatures/boskos.heartbeat'],
  ['search page', 20, (draws) => `/search?search=${word(draws)}`],
  ['search API', 20, (draws) => `/api/v1/search?search=${word(draws)}`],
  ['run', 10, () => `/runs/${RUN}`],
  ['status', 10, () => '/status'],
  ['ci-search', 5, (draws) => `/v2/search?search=${word(draws)}&maxAge=48h`],
]
/** Each as often as its share. */
const BY_SHARE = ASKED.flatMap((asked) => Array.from({ length: asked[1] }, () => asked))

const RUN = { path: '' } as { path: string; toString(): string }
RUN.toString = () => RUN.path

function word(draws: Random): string {
  return draws.pick([
    'EOF',
    'boskos',
    'heartbeat',
    'no+route+to+host',
    `x${draws.hex(4)}`,
    'lease.*failed',
    '%5E.*panic',
  ])
}

/** The run whose page is asked for, as `dir/bucket/logs/job/id`. */
export function readRun(path: string): void {
  RUN.path = path
}

export interface Answer {
  readonly name: string
  /** HTTP; 0: none came. */
  readonly status: number
  readonly ms: number
  /** Says when to ask again. */
  readonly polite: boolean
}

const agent = new Agent({ connections: 600, headersTimeout: 120_000, bodyTimeout: 120_000 })

export async function ask(base: string, name: string, path: string): Promise<Answer> {
  const began = performance.now()
  const headers = { accept: name.endsWith('API') || name === 'ci-search' ? '*/*' : 'text/html' }
  try {
    const { statusCode, headers: told, body } = await request(base + path, { dispatcher: agent, headers })
    await body.dump({ limit: Number.MAX_SAFE_INTEGER })
    return { name, status: statusCode, ms: performance.now() - began, polite: told['retry-after'] !== undefined }
  } catch {
    return { name, status: 0, ms: performance.now() - began, polite: false }
  }
}

/** One reader: asks, reads for as long as `thinkMs` on average, asks again. */
export async function reader(
  base: string,
  { seed, thinkMs, stop }: { seed: number; thinkMs: number; stop: AbortSignal },
  onAnswer: (answer: Answer) => void,
): Promise<void> {
  const draws = random('reader', seed)
  while (!stop.aborted) {
    const [name, , path] = draws.pick(BY_SHARE)
    onAnswer(await ask(base, name, path(draws)))
    await sleep(draws.int(0, 2 * thinkMs))
  }
}

/** So many searches at the same moment, each another. */
export function burst(base: string, count: number): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) => ask(base, 'burst API', `/api/v1/search?search=burst${at}.*EOF`)),
  )
}

export interface PageFigures {
  readonly answers: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Of those answered with 200, ms. */
  readonly p50: number
  readonly p95: number
}

export function figuresOf(answers: readonly Answer[]): Readonly<Record<string, PageFigures>> {
  const groups = [...Map.groupBy(answers, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(groups.map(([name, of]) => [name, pageFigures(of)]))
}

function pageFigures(answers: readonly Answer[]): PageFigures {
  const times = answers.filter(({ status }) => status === 200).map(({ ms }) => ms)
  times.sort((a, b) => a - b)
  const quantile = (share: number) => Math.round(quantileSorted(times, share) ?? Number.NaN)
  const statuses = [...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length])
  return { answers: answers.length, byStatus: Object.fromEntries(statuses), p50: quantile(0.5), p95: quantile(0.95) }
}
