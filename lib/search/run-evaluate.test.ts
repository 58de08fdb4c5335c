import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hit } from '../model/hit.ts'
import type { Signature } from '../model/signature.ts'
import { affectedBy } from '../signature/affected.ts'
import { parseCatalogue } from '../signature/catalogue.ts'
import { evaluate } from '../signature/evaluate.ts'
import { createReferenceStore } from '../store/reference.ts'
import type { Store } from '../store/store.ts'
import { storeRun } from '../testing/stored-run.ts'
import { HOUR, makeRun } from '../testing/values.ts'
import { createSearcher, type Searcher } from './engine.ts'

const NOW = Date.UTC(2026, 10, 3)
const catalogue = parseCatalogue([
  {
    file: 'a.yaml',
    text: `
causes: [{ id: cut, title: Cut, regex: EOF }, { id: slow, title: Slow, regex: timeout }]
signatures:
  - id: lost
    title: Lost
    kind: outage
    regexes: ['lease "(?P<res>[^"]+)" lost: (?P<cause>.+)']
    excludes: [retried]
    exclude_jobs: ['^unit']
    causes: [cut, slow]
    witness: 'lease "(?P<res>[^"]+)" held'
    clock: { start: 'start (?P<time>\\S+)', every: 30s }
    yields_to: [gone]
  - { id: lost.cut, title: Cut, part: { of: lost, causes: [cut] } }
  - { id: gone, title: Gone, kind: per-run, logs: [container-log], regexes: ['"g" lost'] }
`,
  },
])

/** Some blocks of 64 KiB between the lines, so that a log takes several tasks where all of them hold a hit. */
function logOf(lines: readonly string[], blocksBetween: number): Uint8Array {
  const filler = `${'.'.repeat(999)}\n`.repeat(blocksBetween * 66)
  return Buffer.from(lines.map((line) => `${line}\n${filler}`).join(''))
}

const FEW = [
  'start 2026-11-02T10:00:00Z',
  'lease "a" held',
  'lease "a" lost: EOF',
  '{"msg":"lease \\"b\\" lost: timeout","time":"2026-11-02T10:00:00Z"}',
  'lease "a" lost: timeout, retried',
  'lease "g" lost: timeout',
  `${'x'.repeat(100_000)}lease "w" lost: EOF${'x'.repeat(100_000)}`,
]
const MANY = Array.from({ length: 150 }, (_, at) => `lease "${at % 40}" lost: ${at % 3 ? 'EOF' : 'timeout'}`)

let store: Store
let searcher: Searcher
beforeAll(async () => {
  expect(catalogue.problems).toEqual([])
  store = createReferenceStore()
  searcher = createSearcher({ store, threads: 2 })
  const runs: [string, Record<string, Uint8Array>][] = [
    ['logs/e2e/1', { 'artifacts/lease.log': logOf(FEW, 2), 'build-log.txt': logOf(FEW.slice(3), 1) }],
    ['logs/e2e/2', { 'build-log.txt': logOf(MANY, 1), 'artifacts/a.log': logOf(MANY.toReversed(), 1) }],
    ['logs/unit/3', { 'build-log.txt': logOf(FEW, 1) }],
    ['logs/e2e/4', { 'build-log.txt': logOf(['nothing'], 1) }],
    ['logs/e2e/5', { 'build-log.txt': logOf(FEW.slice(0, 3), 1) }],
    ['logs/e2e/6', { 'build-log.txt': logOf(FEW.slice(5), 1) }],
  ]
  for (const [at, [path, texts]] of runs.entries())
    await storeRun(store, makeRun({ path, startedAt: NOW - Math.min(at, 4) * HOUR }), texts)
})
afterAll(() => searcher.close())

/** All of a hit but when it was and what stood round it. */
function told({ placed: _, before: __, after: ___, ...hit }: Hit): string {
  return JSON.stringify(hit)
}

test.each(catalogue.signatures.map(({ id }: Signature) => id))(
  'an edit of %s: block by block the same hits as of whole logs',
  async (id) => {
    const affected = affectedBy(new Set([id]), catalogue)
    const expected: [string, string[]][] = []
    for await (const { run, findings } of evaluate(store, affected))
      expected.push([run.path, findings.hits.map(told).sort()])
    const found: typeof expected = []
    const wanted = new Set(affected.ids)
    const tell = ({ run }: { run: { path: string } }, { hits }: { hits: readonly Hit[] }) => {
      const ours = hits.filter(({ signature }) => wanted.has(signature))
      found.push([run.path, ours.map(told).sort()])
    }
    expect(await searcher.evaluate(affected, tell, { deadlineMs: 60_000 })).toBe(true)
    expect(found).toEqual(expected)
    expect(expected.flatMap(([, hits]) => hits).length).toBeGreaterThan(0)
  },
)
