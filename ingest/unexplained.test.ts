import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPages } from '#lib/incident/runs.ts'
import type { Run } from '#lib/model/run.ts'
import { type CoverageData, coverageData } from '#lib/service/coverage.ts'
import { loadCatalogue } from '#lib/signature/catalogue.ts'
import { openStore } from '#lib/store/open.ts'
import { makeContext } from '#lib/testing/context.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import type { SampleStory } from '#lib/testing/sample/story.ts'
import { unknownOf } from '#lib/triage/coverage.ts'
import { runIngest } from './run-ingest.ts'

/** Texts in which the story tells one failure: of several operators, by several tools, of several images. */
const TEXTS: Readonly<Record<string, number>> = { 'unknown.upgrade': 3, 'unknown.space': 8 }

describe('failures that the sample bucket plants and no signature knows', () => {
  const root = mkdtempSync(join(tmpdir(), 'prowl-groups-'))
  let story: SampleStory
  const runs = new Map<string, Run>()
  let data: CoverageData

  beforeAll(async () => {
    const options = { dir: join(root, 'bucket'), seed: 11, end: Date.UTC(2026, 10, 30) }
    story = await generateSample({ ...options, scale: 0.12 })
    const dataDir = join(root, 'data')
    await runIngest({
      bucket: options.dir,
      dataDir,
      signatureDirs: ['signatures'],
      sinceMs: undefined,
      everyMs: undefined,
    })
    const store = await openStore({ dataDir, mode: 'read' })
    const { signatures } = await loadCatalogue(['signatures'])
    data = await coverageData(makeContext(store, signatures, options.end), 90)
    for await (const run of allPages((page) => store.runs({}, page), 500)) runs.set(run.path, run)
    await store.close()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const groupsOf = (paths: readonly string[]) => new Set(paths.map((path) => runs.get(path)?.failure?.group))

  it('every one has a line that it failed with', () => {
    for (const { id, paths } of story.unexplained) expect(groupsOf(paths), id).not.toContain(undefined)
  })

  it('come in as many groups as they have texts, and none is glued to another', () => {
    const owners = new Map<string | undefined, string>()
    for (const { id, paths } of story.unexplained) {
      const groups = groupsOf(paths)
      expect(groups.size, id).toBeLessThanOrEqual(TEXTS[id] ?? 1)
      for (const group of groups) {
        expect(owners.get(group) ?? id).toBe(id)
        owners.set(group, id)
      }
    }
    expect(story.unexplained.length).toBeGreaterThanOrEqual(7)
    const planted = new Set(story.unexplained.flatMap(({ paths }) => paths))
    const known = [...runs.values()].filter(({ path }) => !planted.has(path)).map(({ failure }) => failure?.group)
    expect(known.filter((group) => group !== undefined && owners.has(group))).toEqual([])
  })

  it('are what coverage leaves: it knows of each run that was planted to die of a known failure, and of no other', () => {
    const { window, coverage, died } = data
    const inWindow = (path: string) => (runs.get(path)?.time ?? 0) >= window.from
    const unexplained = story.unexplained.flatMap(({ paths }) => paths).filter(inWindow)
    const planted = story.signatures.flatMap(({ incidents }) => incidents.flatMap(({ runs: hit }) => hit))
    const fatal = new Set(planted.filter(({ outcome }) => outcome === 'died').map(({ path }) => path))
    const known = new Set([...died.values()].map(({ path }) => path))
    expect(unexplained.length).toBeGreaterThan(5)
    expect(unexplained.filter((path) => known.has(path))).toEqual([])
    expect([...fatal].filter((path) => inWindow(path) && !known.has(path))).toEqual([])
    expect([...known].filter((path) => !fatal.has(path))).toEqual([])
    expect(unknownOf(coverage)).toBe(unexplained.length)
  })

  it('is none of a run that did not fail', () => {
    for (const { result, failure } of runs.values())
      if (result !== 'failure' && result !== 'error') expect(failure).toBeUndefined()
  })
})
