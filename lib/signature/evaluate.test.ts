import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { storeRun } from '../testing/stored-run.ts'
import { makeRun } from '../testing/values.ts'
import { BlockCutter } from '../text/blocks.ts'
import { parseCatalogue } from './catalogue.ts'
import { evaluate, matchRun } from './evaluate.ts'
import { createMatcher } from './run-matcher.ts'

const catalogue = parseCatalogue([
  {
    file: 'a.yaml',
    text: `signatures:
  - id: lease
    title: lease
    kind: outage
    regexes: ['beat failed of (?P<res>\\S+)']
    witness: 'beat (?:sent|failed) of (?P<res>\\S+)'
    exclude_jobs: []
    samples: { match: ['beat failed of a'], no_match: [] }
  - id: boom
    title: boom
    kind: per-run
    regexes: ['boom']
    samples: { match: ['boom'], no_match: [] }
`,
  },
])
const ids = catalogue.signatures.map(({ id }) => id)
const SAMPLE_TIME = Date.UTC(2026, 10, 3)
/** Three of them fill a block. */
const filler = 'nothing of note here. '.repeat(1000)
const at = new Date(SAMPLE_TIME).toISOString()
const line = fc.constantFrom(filler, filler, filler, at, 'beat sent of a', 'beat sent of b', 'beat failed of a', 'boom')
const log = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => Buffer.from(`${lines.join('\n')}\n`))
const run = makeRun({ startedAt: SAMPLE_TIME - 3_600_000, finishedAt: SAMPLE_TIME, result: 'failure' })

/** What the signatures make of the texts read from end to end, as when they were read first. */
async function whole(texts: Readonly<Record<string, Uint8Array>>) {
  const logs = Object.entries(texts).map(([name, bytes]) => ({
    name,
    kind: 'build-log' as const,
    bytes: bytes.length,
    lines: 1,
  }))
  const { hits, tracks, exposures } = await matchRun(
    { run, logs },
    createMatcher(catalogue),
    async ({ name }, take) => {
      const cutter = new BlockCutter()
      for (const block of [...cutter.push(texts[name] ?? Buffer.of()), ...cutter.end()]) take(block)
    },
  )
  return { hits, tracks, exposures }
}

async function evaluated(store: Store) {
  for await (const { findings, bytes } of evaluate(store, { ids, catalogue }))
    return { hits: findings.hits, tracks: findings.tracks, exposures: findings.exposures, bytes }
  throw new Error('no run')
}

test('finds what reading all finds, whatever blocks it leaves out', async () => {
  let [least, struck] = [0, 0]
  await fc.assert(
    fc.asyncProperty(log, log, async (build, container) => {
      const texts = { 'build-log.txt': build, 'container.log': container }
      const store = createReferenceStore()
      await storeRun(store, run, texts)
      const { bytes, ...found } = await evaluated(store)
      expect(found).toEqual(await whole(texts))
      if (bytes < build.length + container.length) least++
      if (found.hits.length > 0) struck++
    }),
    { numRuns: 150 },
  )
  // Both kinds were tried; of either there are ten and more in the mean.
  expect(struck).toBeGreaterThan(0)
  expect(least).toBeGreaterThan(0)
})

test('reads of a run that no failure struck the blocks with its witness alone', async () => {
  const texts = { 'build-log.txt': Buffer.from(`${filler.repeat(9)}\nbeat sent of a\n${filler.repeat(9)}\n`) }
  const store = createReferenceStore()
  await storeRun(store, run, texts)
  const { bytes, exposures } = await evaluated(store)
  expect(exposures.map(({ signature }) => signature).sort()).toEqual(['boom', 'lease'])
  expect(bytes).toBeLessThan(texts['build-log.txt'].length / 2)
})
