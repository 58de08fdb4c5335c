import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeSampleChanges } from './changes.ts'
import { generateSample, sampleStory } from './generate.ts'
import type { SampleStory } from './story.ts'

const SEED = 7
const END = Date.UTC(2026, 0, 3, 9, 30)
const root = mkdtempSync(join(tmpdir(), 'prowl-sample-'))
const [first, second, other] = ['first', 'second', 'other'].map((name) => join(root, name)) as [string, string, string]
const progress: [number, number][] = []
let story: SampleStory

/** Every file below `dir` in order: name, modification time and bytes. */
function tree(dir: string) {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(dir, name)).isFile())
    .sort()
    .map((name) => ({ name, at: statSync(join(dir, name)).mtimeMs, bytes: readFileSync(join(dir, name), 'latin1') }))
}

beforeAll(async () => {
  const options = { seed: SEED, end: END, scale: 0.03 }
  story = await generateSample({ ...options, dir: first, onProgress: (done, total) => progress.push([done, total]) })
  await generateSample({ ...options, dir: second })
  await generateSample({ ...options, dir: other, seed: SEED + 1 })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('the same seed and end write the same bytes and times, another seed others', () => {
  const files = tree(first)
  expect(files.length).toBeGreaterThan(300)
  expect(tree(second)).toEqual(files)
  expect(tree(other)).not.toEqual(files)
})

test('every object lies where Prow would put it', () => {
  const job = '[a-z0-9.-]+'
  const run = `(?:logs/${job}|pr-logs/pull/(?:(?:[a-z]+_[a-z-]+/)?\\d+|batch)/${job})/\\d+`
  const shapes = [
    `${run}/(?:started|finished|prowjob|podinfo|clone-records)\\.json`,
    `${run}/(?:(?:[a-z]+-)?build-log|clone-log)\\.txt`,
    `${run}/artifacts/.+`,
    `(?:logs|pr-logs/directory)/${job}/latest-build\\.txt`,
    `pr-logs/pull/(?:[a-z]+_[a-z-]+/)?\\d+/${job}/latest-build\\.txt`,
    `pr-logs/directory/${job}/\\d+\\.txt`,
  ].map((shape) => new RegExp(`^${shape}$`))
  const names = tree(first).map(({ name }) => name)
  expect(names.filter((name) => !shapes.some((shape) => shape.test(name)))).toEqual([])
  for (const shape of shapes)
    expect(
      names.some((name) => shape.test(name)),
      String(shape),
    ).toBe(true)
  expect(
    names.some((name) => /^pr-logs\/pull\/\d+\//.test(name)),
    'the single layout',
  ).toBe(true)
  expect(
    names.some((name) => name.startsWith('pr-logs/pull/batch/')),
    'batch',
  ).toBe(true)
})

test('pointers lead to runs, and only presubmits have them', () => {
  const files = new Map(tree(first).map(({ name, bytes }) => [name, bytes]))
  const pointers = [...files].filter(([name]) => /^pr-logs\/directory\/.*\/\d+\.txt$/.test(name))
  expect(pointers.length).toBeGreaterThan(5)
  for (const [name, bytes] of pointers) {
    const path = /^gs:\/\/origin-ci-test\/(pr-logs\/pull\/.+)$/.exec(bytes)?.[1] ?? ''
    expect(path).not.toContain('/batch/')
    expect(files.has(`${path}/prowjob.json`), name).toBe(true)
  }
})

test('the story names runs that were written, a part of the whole', () => {
  const names = tree(first).map(({ name }) => name)
  for (const { incidents } of story.signatures) {
    for (const { path } of incidents.flatMap(({ runs }) => runs)) {
      expect(names).toContain(`${path}/prowjob.json`)
    }
  }
  const whole = sampleStory(SEED, END)
  expect(story.runs).toBeLessThan(whole.runs / 10)
  expect(story.signatures.map(({ id }) => id)).toEqual(whole.signatures.map(({ id }) => id))
  expect(progress.at(-1)).toEqual([story.runs, story.runs])
})

test('the changes are a signature file of their own', () => {
  const file = join(root, 'sample-changes.yaml')
  writeSampleChanges(story, file)
  const { changes } = parse(readFileSync(file, 'utf8')) as { changes: Record<string, unknown>[] }
  expect(changes.map(({ signature }) => signature)).toEqual([
    'api.disruption',
    'boskos.heartbeat',
    'dns.timeout',
    'mirror.mismatch',
  ])
  expect(changes[1]).toEqual({
    signature: 'boskos.heartbeat',
    at: new Date(story.start + 62 * 86_400_000).toISOString(),
    title: 'Boskos runs with a high priority class and no persistent volume',
    link: 'https://bugzilla.redhat.com/show_bug.cgi?id=1750890',
    dated_by_link: true,
  })
})
