import { runFiles } from './files.ts'
import { schedule } from './schedule.ts'
import { slice } from './slice.ts'
import type { SampleStory } from './story.ts'
import { storyOf } from './telling.ts'
import { makeWriter } from './write.ts'

export interface SampleOptions {
  /** The bucket's root; made where it is missing. */
  readonly dir: string
  readonly seed: number
  /** The instant at which the 120 days end, epoch ms. */
  readonly end: number
  /** Share of the runs to write; every shape and story is there however small. */
  readonly scale?: number
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Writes a bucket as Prow lays it out, which tells the stories of story.ts. Equal seed, end and scale give equal bytes
 * and times; a slice's runs are those of the whole.
 */
export async function generateSample(options: SampleOptions): Promise<SampleStory> {
  const { dir, seed, end, scale = 1, onProgress } = options
  const runs = slice(schedule(seed, end), scale)
  const writer = makeWriter(dir)
  for (const [done, run] of runs.entries()) {
    writer.writeRun(run, runFiles(run))
    if (done % 25 === 0) {
      onProgress?.(done, runs.length)
      await new Promise(setImmediate)
    }
  }
  writer.writePointers(runs)
  onProgress?.(runs.length, runs.length)
  return storyOf(runs, seed, end)
}

/** What generateSample plants, without writing it. */
export function sampleStory(seed: number, end: number, scale = 1): SampleStory {
  return storyOf(slice(schedule(seed, end), scale), seed, end)
}
