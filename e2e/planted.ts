import { readFileSync } from 'node:fs'
import { sampleStory } from '../lib/testing/sample/generate.ts'
import type { PlantedSignature, SampleStory } from '../lib/testing/sample/story.ts'

/** What was planted in the bucket that the server under test has read. */
export function planted(): SampleStory {
  const { seed, end } = JSON.parse(readFileSync('.e2e/sample/sample.json', 'utf8'))
  return sampleStory(seed, end)
}

export function plantedSignature(id: string): PlantedSignature {
  const found = planted().signatures.find((signature) => signature.id === id)
  if (!found) throw new Error(`nothing is planted for ${id}`)
  return found
}

/** `3 Nov`, UTC. */
export function dayMonth(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
