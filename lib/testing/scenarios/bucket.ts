import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateSample, sampleStory } from '../sample/generate.ts'
import type { SampleStory } from '../sample/story.ts'

/** What time it is in every scenario, epoch ms. */
export const NOW = Date.UTC(2026, 9, 20, 12)
export const BUCKET = 'scenarios'
/** Text that is older is kept no longer. */
export const KEEP_DAYS = 118

const HOUR = 3_600_000
const EMOJI = 'job-\u{1f600}'
/** After the emoji in UTF-16, before it in UTF-8. */
const REPLACEMENT = 'job-\u{fffd}'
export const LINES_A_LOG = 250
const HEARTBEAT =
  'failed to send heartbeat for resource "r": Post http://boskos.ci/update?name=r&owner=o&state=leased: EOF'

interface MadeRun {
  readonly path: string
  readonly hoursAgo: number
  readonly result: string
  readonly log: readonly string[]
}

export const RUNS = {
  emoji: run(`logs/${EMOJI}/11`, 30, 'FAILURE', many('emoji')),
  /** At the same moment: only the order of bytes tells which comes first. */
  replacement: run(`logs/${REPLACEMENT}/11`, 30, 'SUCCESS', many('replacement')),
  words: run('logs/périodique-été/12', 20, 'FAILURE', [
    'début',
    'Größe: café \u{1f600} überschritten',
    'plain <b>markup</b>',
    '\u001b[31mred\u001b[0m alert',
  ]),
  expired: run('logs/long-ago/13', 130 * 24, 'FAILURE', ['needle of old', HEARTBEAT]),
} as const

/** Of the sample bucket, as small a slice as tells every story. */
const SLICE = { seed: 7, end: NOW, scale: 0.01 }

export function scenarioStory(): SampleStory {
  return sampleStory(SLICE.seed, SLICE.end, SLICE.scale)
}

/** The slice, and runs whose every line is known. `root` becomes its parent. */
export async function makeScenarioBucket(root: string): Promise<string> {
  const dir = join(root, BUCKET)
  await generateSample({ dir, ...SLICE })
  for (const made of Object.values(RUNS)) writeRun(dir, made)
  return dir
}

/** The address of a run below `/runs/` and `/api/v1/runs/`. */
export function address(path: string): string {
  return ['dir', BUCKET, ...path.split('/')].map(encodeURIComponent).join('/')
}

function run(path: string, hoursAgo: number, result: string, log: readonly string[]): MadeRun {
  return { path, hoursAgo, result, log }
}

function many(name: string): string[] {
  return Array.from({ length: LINES_A_LOG }, (_, i) => `needle ${i + 1} of ${name}`)
}

function writeRun(dir: string, { path, hoursAgo, result, log }: MadeRun): void {
  const seconds = (NOW - hoursAgo * HOUR) / 1000
  const files = {
    'started.json': JSON.stringify({ timestamp: seconds - 600 }),
    'finished.json': JSON.stringify({ timestamp: seconds, passed: result === 'SUCCESS', result }),
    'build-log.txt': `${log.join('\n')}\n`,
  }
  for (const [name, content] of Object.entries(files)) {
    const file = join(dir, path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
