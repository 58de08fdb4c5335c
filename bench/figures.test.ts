import { describe, expect, test } from 'vitest'
import { checkRoom } from './disk.ts'
import type { Figures, Row } from './figures.ts'
import { rendered } from './render.ts'
import { targets } from './targets.ts'

const GIB = 2 ** 30
const STORES = '<!-- stores: begin -->\nold stores\n<!-- stores: end -->'
const PAGE = `before\n\n<!-- bench: begin -->\nold\n<!-- bench: end -->\n\nafter\n${STORES}\n`
const ELASTICSEARCH = { ingestMiBs: 2, ingestPeakMiB: 500, writtenRatio: 2, mergedRatio: 0.6 }

function makeRow(row: Partial<Row>): Row {
  return {
    name: 'a',
    kind: 'literal',
    pattern: 'a|b',
    lines: 1,
    prowlMs: 10,
    firstMs: 5,
    candidates: 1,
    blocks: 9,
    ...row,
  }
}

function makeFigures(figures: Partial<Figures>): Figures {
  return {
    cores: 2,
    node: '24.0.0',
    seed: 1,
    days: 1,
    corpusBytes: GIB,
    logs: 1000,
    corpusLines: 8_000_000,
    ingestMiBs: 30,
    ingestPeakMiB: 400,
    searchPeakMiB: 300,
    indexRatio: 0.35,
    rows: [makeRow({ ciSearchMs: 3000, rgMs: 100 })],
    ...figures,
  }
}

function verdicts(figures: Figures): Record<string, string> {
  return Object.fromEntries(targets(figures).map(({ what, reached = '–', verdict }) => [what, `${reached} ${verdict}`]))
}

describe('targets', () => {
  test('are met, missed by some percent or by a factor, or not measured', () => {
    const found = verdicts(makeFigures({ ingestMiBs: 20, indexRatio: 1 }))
    expect(found).toMatchObject({
      'literal patterns, complete counts: the least, times ci-search mode': '300× met',
      'literal patterns: the least, times plain ripgrep': '10× met',
      'ingest, one process': '20 MiB/s missed by 25%',
      'disk for text and index, of the raw bytes': '1 missed 2.63-fold',
      'pasted patterns: the least, times ci-search mode': '– not measured',
    })
  })

  test('take the worst row, and the geometric mean', () => {
    const rows = [makeRow({ ciSearchMs: 400, rgMs: 10 }), makeRow({ ciSearchMs: 900, rgMs: 40, firstMs: 150 })]
    expect(verdicts(makeFigures({ rows }))).toMatchObject({
      'literal patterns, complete counts: the least, times ci-search mode': '40× missed by 25%',
      'literal patterns: the least, times plain ripgrep': '1× missed by 50%',
      'first 50 hits, any pattern: the slowest': '150 ms missed by 50%',
    })
    expect(Object.values(verdicts(makeFigures({ rows })))).toContain('60× missed 2.5-fold')
  })

  test('compare a leading .* with the row that lacks it', () => {
    const rows = [
      makeRow({ name: 'b', prowlMs: 10 }),
      makeRow({ name: '.* b', kind: 'quadratic', base: 'b', prowlMs: 60 }),
    ]
    expect(Object.values(verdicts(makeFigures({ rows })))).toContain('6× missed 2-fold')
  })

  test('an answer cut off without saying so misses however quick it was', () => {
    const deadline = { givenMs: 100, tookMs: 90, saidSo: false }
    expect(Object.values(verdicts(makeFigures({ deadline })))).toContain('∞× missed ∞-fold')
  })
})

describe('the page', () => {
  test('gets the tables between its marks, the smallest corpus first', () => {
    const days = makeFigures({ days: 14, corpusBytes: 14 * GIB })
    const page = rendered(PAGE, [days, makeFigures({})])
    expect(page).toMatch(/^before\n\n<!-- bench: begin -->[\s\S]*<!-- bench: end -->\n\nafter\n/)
    expect(page).not.toContain('old\n')
    expect(page).toContain(STORES)
    expect(page).toContain('| target | reach | 1 GiB | 14 × 1 GiB |')
    expect(page).toContain('| ingest, one process | ≥ 25 MiB/s | 30 MiB/s, met | 30 MiB/s, met |')
    expect(page).toContain('| `a\\|b` |')
    expect(rendered(page, [makeFigures({})])).not.toContain('14 ×')
  })

  test('shows the patterns of the raced run that is nearest to 1 GiB', () => {
    const sizes = [GIB / 4, GIB, 10 * GIB].map((corpusBytes) => makeFigures({ corpusBytes }))
    expect(rendered(PAGE, sizes)).toContain('| pattern, 1 GiB |')
    expect(rendered(PAGE, sizes.slice(2))).toContain('| pattern, 10 GiB |')
  })

  test('tells what saved signatures cost, where that was measured', () => {
    const measured = { hits: 3, indexBytes: 10, scanBytes: 1000 }
    const signatures = {
      count: 50,
      ingestShare: 0.3,
      ingestCpuShare: 0.2,
      reevaluated: [
        { id: 'a', ...measured, indexMs: 10, scanMs: 400 },
        { id: 'b', ...measured, indexMs: 40, scanMs: 400 },
      ],
    }
    const page = rendered(PAGE, [makeFigures({ signatures, corpusBytes: GIB / 4 }), makeFigures({})])
    expect(page).toContain('| 50 saved signatures: time that they add to ingest | ≤ 15 % | 30 %, missed 2-fold | – |')
    expect(page).toContain('the geometric mean, times reading all | ≥ 20× | 20×, met | – |')
    expect(page).toContain('the least, times reading all | ≥ 20× | 10×, missed 2-fold | – |')
    expect(page).toContain('| edited, 256 MiB | hits |')
    expect(page).toContain('| `b` | 3 | 1 % | 40 | 400 | 10× |')
  })

  test('keeps runs over both stores in a section of their own', () => {
    const rows = [
      makeRow({ prowlMs: 10, elasticMs: 70, elasticMergedMs: 20, elasticFirstMs: 8 }),
      makeRow({ prowlMs: 10, elasticMs: 14 }),
      makeRow({ kind: 'pasted', prowlMs: 2, elasticMs: 5, elasticFirstMs: 4 }),
    ]
    const page = rendered(PAGE, [makeFigures({ rows, elasticsearch: ELASTICSEARCH })])
    expect(page).toContain('<!-- bench: begin -->\nold\n<!-- bench: end -->')
    expect(page).not.toContain('old stores')
    expect(page).toContain('| disk once merged, of the raw bytes | 0.35 | 0.6 |')
    expect(page).toContain('| ≥ 3 MiB/s | 2 MiB/s, missed by 50% |')
    expect(page).toContain('as written: the most, times the embedded store | ≤ 5× | 7×, missed by 40% |')
    expect(page).toContain('once merged: the most, times the embedded store | ≤ 5× | 2×, met |')
    expect(page).toContain('as written: the geometric mean, times the embedded store | ≤ 5× | 3.13×, met |')
    expect(page).toContain('| a | literal | 1 | 10 | 70 | 7× | 20 | 2× | 5 | 8 | – | – |')
    expect(page).toContain('| 1 pasted, medians | pasted | – | 2 | 5 | 2.5× | – | – | 5 | 4 | – | – |')
  })

  test('that has no marks is left alone', () => {
    expect(() => rendered('nothing', [makeFigures({})])).toThrow(/no <!-- bench: begin -->/)
    const both = makeFigures({ elasticsearch: ELASTICSEARCH })
    expect(() => rendered(PAGE.replace(STORES, ''), [both])).toThrow(/no <!-- stores: begin -->/)
  })
})

test('a disk without room is told before anything is written', () => {
  expect(() => checkRoom('.', 2 ** 60, 1)).toThrow(/free and the corpus needs about .* --dir/)
  expect(() => checkRoom('.', 1, 1)).not.toThrow()
})
