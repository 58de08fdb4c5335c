import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block } from '../model/block.ts'
import type { LogKind } from '../model/run.ts'
import { BlockCutter } from '../text/blocks.ts'
import { type Catalogue, loadCatalogue, parseCatalogue } from './catalogue.ts'
import { compileSignature } from './compiled.ts'
import { matchLine, matchSignature } from './line-match.ts'
import { createMatcher, type MatchedRun } from './run-matcher.ts'

const { signatures } = await loadCatalogue(['signatures'])
const boskos = { signatures: signatures.filter(({ source }) => source.file.endsWith('boskos.yaml')), problems: [] }
const at = (text: string) => Date.parse(text)

const run: MatchedRun = {
  bucket: 'gs://b',
  path: 'logs/e2e-aws/100',
  job: 'e2e-aws',
  result: 'failure',
  startedAt: at('2020-01-07T12:00:00Z'),
  finishedAt: at('2020-01-07T14:00:00Z'),
  time: at('2020-01-07T14:00:00Z'),
}

interface TestLog {
  readonly text: string
  readonly kind?: LogKind
  readonly blocks?: readonly Block[]
}

function blocksOf(text: string): Block[] {
  const cutter = new BlockCutter()
  return [...cutter.push(Buffer.from(text)), ...cutter.end()]
}

/** Blocks of a few lines each, so that what surrounds a line lies in other blocks. */
function smallBlocks(text: string, size: number): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let first = 0; first < lines.length; first += size) {
    const part = lines.slice(first, first + size)
    const bytes = Buffer.from(part.join('\n'))
    blocks.push({ firstLine: first + 1, lineCount: part.length, bytes, ascii: false })
  }
  return blocks
}

function match(
  logs: Readonly<Record<string, TestLog | string>>,
  options: { complete?: boolean; run?: Partial<MatchedRun>; catalogue?: Catalogue } = {},
) {
  const matcher = createMatcher(options.catalogue ?? boskos).startRun({ ...run, ...options.run })
  for (const [name, given] of Object.entries(logs)) {
    const log = typeof given === 'string' ? { text: given } : given
    const reader = matcher.startLog({ name, kind: log.kind ?? 'build-log' })
    for (const block of log.blocks ?? blocksOf(log.text)) reader.block(block)
    reader.end()
  }
  return matcher.finish({ complete: options.complete ?? true })
}

const RES = '4c1f0a7e'
const sent = `heartbeat sent for resource "${RES}"`
const failed = (cause: string, resource = RES) =>
  `failed to send heartbeat for resource "${resource}": Post http://boskos.ci/update?name=${resource}&owner=x&state=leased: ${cause}`
const NO_ROUTE = 'dial tcp 172.30.8.41:80: connect: no route to host'
const leased =
  '[INFO] Leased resource: {"name":"4c1f0a7e","lastupdate":"2020-01-07T12:33:50.123456789Z","userdata":null}'
const lease = ['[INFO] Acquiring a lease ...', leased, sent, sent, failed('EOF'), failed(NO_ROUTE), failed(NO_ROUTE)]
const dump = [
  '2020/01/07 12:30:00 Executing pod "e2e-aws" running image "src"',
  ...lease,
  '2020/01/07 13:10:02 Container lease in pod e2e-aws failed, exit code 1, reason Error',
]

const brief = (found: ReturnType<typeof match>) =>
  found.hits.map(({ signature, cause, resource, log, line }) => [signature, cause, resource, log, line])

describe('the founding case', () => {
  const found = match({
    'artifacts/e2e-aws/container-logs/lease.log': { text: lease.join('\n'), kind: 'container-log' },
    'build-log.txt': `${dump.join('\n')}\n`,
  })

  test('one hit per cause, in the log that Spyglass shows, under the failure and under its part', () => {
    expect(brief(found)).toEqual([
      ['boskos.heartbeat', 'eof', RES, 'build-log.txt', 6],
      ['boskos.eof', 'eof', RES, 'build-log.txt', 6],
      ['boskos.heartbeat', 'no_route', RES, 'build-log.txt', 7],
      ['boskos.no_route', 'no_route', RES, 'build-log.txt', 7],
    ])
  })

  test('a part carries its own definition and the parent its own', () => {
    const definitions = Object.fromEntries(boskos.signatures.map(({ id, definition }) => [id, definition]))
    for (const hit of found.hits) expect(hit.definition).toBe(definitions[hit.signature])
  })

  test('is placed by the lease’s time and the beats since', () => {
    const [eof, , noRoute] = found.hits
    const third = at('2020-01-07T12:35:20.123Z')
    expect(eof?.placed).toEqual({ earliest: third, latest: third + 14_000, source: 'heartbeats' })
    expect(noRoute?.placed).toEqual({ earliest: third + 30_000, latest: third + 58_000, source: 'heartbeats' })
  })

  test('keeps the lines round it', () => {
    expect(found.hits[0]).toMatchObject({ text: failed('EOF'), before: [sent, sent], job: 'e2e-aws', time: run.time })
    expect(found.hits[0]?.after).toEqual([failed(NO_ROUTE), failed(NO_ROUTE)])
  })

  test('leaves a track for the swimlane, once', () => {
    expect(found.tracks).toHaveLength(1)
    expect(found.tracks[0]).toMatchObject({ signature: 'boskos.heartbeat', resource: RES, log: 'build-log.txt' })
    expect(found.tracks[0]?.marks.map(({ what, line }) => [what, line])).toEqual([
      ['witness', 4],
      ['witness', 5],
      ['eof', 6],
      ['no_route', 7],
      ['no_route', 8],
    ])
  })

  test.each([
    ['the beats go on', [sent], true],
    ['they fail to the end', [], undefined],
    ['one goes on and fails again', [sent, failed('EOF')], undefined],
    ['those of another resource go on', ['heartbeat sent for resource "other"'], undefined],
  ])('tells whether the run recovered: %s', (_, more, recovered) => {
    const { hits } = match({ 'lease.log': { text: [...lease, ...more].join('\n'), kind: 'container-log' } })
    expect(hits.map((hit) => hit.recovered)).toEqual(hits.map(() => recovered))
  })

  test('a run that shows the witness and no failure was exposed, and leaves no track', () => {
    const quiet = match({ 'lease.log': { text: [leased, sent, sent].join('\n'), kind: 'container-log' } })
    expect(quiet.tracks).toEqual([])
    expect(quiet.exposures.map(({ signature }) => signature)).toContain('boskos.heartbeat')
  })

  test('was exposed from start to end, as was each part', () => {
    const of = found.exposures.filter(({ signature }) => ['boskos.heartbeat', 'boskos.eof'].includes(signature))
    expect(of).toEqual([
      { signature: 'boskos.heartbeat', from: run.startedAt, to: run.finishedAt },
      { signature: 'boskos.eof', from: run.startedAt, to: run.finishedAt },
    ])
  })

  test('a copy that lacks the lease’s time is placed by the log that has it', () => {
    const tail = [dump[0], failed('EOF'), dump.at(-1)].join('\n')
    const both = match({ 'build-log.txt': tail, 'lease.log': { text: lease.join('\n'), kind: 'container-log' } })
    expect(both.hits[0]).toMatchObject({ log: 'build-log.txt', line: 2, placed: { source: 'heartbeats' } })
    const alone = match({ 'build-log.txt': tail })
    expect(alone.hits[0]?.placed).toEqual({
      earliest: run.startedAt,
      latest: at('2020-01-07T13:10:02Z'),
      source: 'neighbours',
    })
  })
})

describe('what counts', () => {
  test('resources and causes each', () => {
    const text = [failed('EOF', 'a'), failed('EOF', 'b'), failed('EOF', 'a'), failed(NO_ROUTE, 'a')].join('\n')
    const hits = match({ 'lease.log': text }).hits.filter(({ signature }) => signature === 'boskos.heartbeat')
    expect(hits.map(({ cause, resource, line }) => [cause, resource, line])).toEqual([
      ['eof', 'a', 1],
      ['eof', 'b', 2],
      ['no_route', 'a', 4],
    ])
  })

  test('a failure without a known cause is a hit, and a mark that is no good beat', () => {
    const found = match({ 'lease.log': `${sent}\n${failed('status 404 Not Found, status code 404')}` })
    expect(brief(found)).toEqual([['boskos.heartbeat', '', RES, 'lease.log', 2]])
    expect(found.tracks[0]?.marks.map(({ what }) => what)).toEqual(['witness', 'other'])
  })

  test.each([
    ['a plain line', `failed to update lease "s-1": Post "http://boskos/update?name=s-1&state=leased": EOF`],
    [
      'a record',
      `{"msg":"Failed to update lease \\"s-1\\"","error":"Post \\"http://boskos/update?name=s-1\\u0026a=b\\": EOF"}`,
    ],
  ])('of %s that two signatures match, only the one that the other yields to', (_, line) => {
    expect(brief(match({ 'build-log.txt': line }))).toEqual([['lease.update', '', 's-1', 'build-log.txt', 1]])
  })

  test('a resource is read from the address when no group names it', () => {
    const text = 'Post "http://boskos/release?dest=dirty&name=s-7&owner=x": EOF'
    expect(brief(match({ 'build-log.txt': text }))).toEqual([['boskos.transport', 'eof', 's-7', 'build-log.txt', 1]])
    const record = `{"msg":"Post \\"http://boskos/release?dest=dirty\\u0026name=s-7\\u0026owner=x\\": EOF"}`
    expect(brief(match({ 'build-log.txt': record }))).toEqual([['boskos.transport', 'eof', 's-7', 'build-log.txt', 1]])
  })

  test('colours, carriage returns and bad bytes do not hide a line, and line numbers count `\\n` only', () => {
    const bytes = Buffer.concat([
      Buffer.from('a\rb\n\x1b[31m'),
      Buffer.from(failed('EOF')),
      Buffer.from('\x1b[0m\r\n'),
      Buffer.from([0xff, 0x0a]),
    ])
    const block: Block = { firstLine: 1, lineCount: 3, bytes: bytes.subarray(0, -1), ascii: false }
    const [hit] = match({ 'build-log.txt': { text: '', blocks: [block] } }).hits
    expect(hit).toMatchObject({ line: 2, text: failed('EOF'), before: ['a b'], after: ['\ufffd'] })
  })

  test('not the jobs that a signature excludes', () => {
    const found = match(
      { 'build-log.txt': lease.join('\n') },
      { run: { job: 'pull-ci-openshift-ci-tools-master-unit' } },
    )
    expect(found).toEqual({ hits: [], tracks: [], exposures: [] })
  })
})

const RULES = `
causes:
  - { id: one, title: One, regex: '1' }
signatures:
  - { id: plain, title: Plain, kind: per-run, regexes: ['boom (?P<cause>.*)', 'bang'], excludes: [unless], causes: [one] }
  - { id: junit, title: JUnit only, kind: per-run, regexes: [boom], logs: [junit] }
  - { id: seen, title: Witnessed, kind: outage, regexes: [boom], witness: 'alive (?P<res>\\S+)' }
`
const rules = parseCatalogue([{ file: 'rules.yaml', text: RULES }])

describe('rules', () => {
  const find = (logs: Parameters<typeof match>[0], options: Parameters<typeof match>[1] = {}) =>
    match(logs, { catalogue: rules, ...options })

  test('of a record, the first field that matches says which', () => {
    const record = '{"error":"boom 1","msg":"bang"}'
    expect(brief(find({ 'build-log.txt': record }))[0]).toEqual(['plain', '', '', 'build-log.txt', 1])
    expect(matchLine(rules, record)[0]).toMatchObject({ signature: 'plain', cause: '' })
  })

  test('load', () => expect(rules.problems).toEqual([]))

  test('excluded lines do not hit, nor logs of other kinds', () => {
    expect(brief(find({ 'build-log.txt': 'boom unless\nboom 1\nbang' }))).toEqual([
      ['plain', 'one', '', 'build-log.txt', 2],
      ['plain', '', '', 'build-log.txt', 3],
      ['seen', '', '', 'build-log.txt', 1],
    ])
    const junit = brief(find({ 'a.xml': { text: 'boom 2', kind: 'junit' } }))
    expect(junit.map(([id]) => id)).toEqual(['plain', 'junit', 'seen'])
  })

  const exposed = (logs: Parameters<typeof match>[0], options: Parameters<typeof match>[1] = {}) =>
    find(logs, options).exposures.map(({ signature }) => signature)

  test('exposed is what could have shown it: the witness, or a whole log of the kind', () => {
    expect(exposed({ 'build-log.txt': 'x' })).toEqual(['plain'])
    expect(exposed({ 'build-log.txt': 'alive a', 'j.xml': { text: '', kind: 'junit' } })).toEqual([
      'plain',
      'junit',
      'seen',
    ])
    expect(exposed({ 'build-log.txt': 'boom' })).toEqual(['plain', 'seen'])
    expect(exposed({})).toEqual([])
    expect(exposed({ 'build-log.txt': 'alive a' }, { complete: false })).toEqual([])
  })

  test('a run whose end is unknown, or lies before its start, exposes nothing', () => {
    const { finishedAt: _, ...open } = run
    const matcher = createMatcher(rules).startRun(open)
    matcher.startLog({ name: 'build-log.txt', kind: 'build-log' }).end()
    expect(matcher.finish({ complete: true }).exposures).toEqual([])
    expect(exposed({ 'build-log.txt': 'x' }, { run: { finishedAt: at('2020-01-07T11:00:00Z') } })).toEqual([])
  })

  test('logs are preferred by name after build-log.txt', () => {
    const logs = { 'b/log': 'boom 2', 'a/log': 'x\nboom 2' }
    expect(brief(find(logs)).map(([, , , log]) => log)).toEqual(['a/log', 'a/log'])
    expect(brief(find({ ...logs, 'build-log.txt': 'boom 2' })).map(([, , , log]) => log)).toEqual([
      'build-log.txt',
      'build-log.txt',
    ])
  })

  test('a line read in windows hits once, with its own time and neighbours', () => {
    const long = `2020-01-07T12:20:00Z boom 1 ${'x'.repeat(63_000)} boom 1 ${'y'.repeat(70_000)}bang`
    const found = find({ 'build-log.txt': `one\ntwo\nthree\n${long}\nlast\n` })
    expect(brief(found)).toEqual([
      ['plain', 'one', '', 'build-log.txt', 4],
      ['seen', '', '', 'build-log.txt', 4],
    ])
    const late = find({
      'build-log.txt': `one\ntwo\nthree\n2020-01-07T12:20:00Z ${'y'.repeat(170_000)}bang\nlast\nend`,
    })
    expect(late.hits).toHaveLength(1)
    expect(late.hits[0]).toMatchObject({ line: 4, before: ['two', 'three'], after: ['last', 'end'] })
    expect(late.hits[0]?.placed).toMatchObject({ earliest: at('2020-01-07T12:20:00Z'), source: 'line' })
  })

  test('long lines are kept short, round their match', () => {
    const [near, far] = [`boom 1${'x'.repeat(9000)}`, `${'x'.repeat(9000)}bang${'y'.repeat(9000)}`]
    const { hits } = find({ 'build-log.txt': `${near}\n${far}\n${near}` })
    for (const { text, before, after } of hits) {
      expect(Math.max(...[text, ...before, ...after].map((line) => line.length))).toBe(2000)
      expect(text).toMatch(/boom|bang/)
    }
  })

  test('lines on both sides of a gap are not neighbours', () => {
    const [head, tail] = [blocksOf('a\nb\nbang'), blocksOf('boom 1\nc')]
    const blocks = [...head, ...tail.map((block) => ({ ...block, firstLine: block.firstLine + 1000 }))]
    const { hits } = find({ 'build-log.txt': { text: '', blocks } })
    expect(hits.filter(({ signature }) => signature === 'plain')).toMatchObject([
      { line: 3, before: ['a', 'b'], after: [] },
      { line: 1001, before: [], after: ['c'] },
    ])
  })

  test('a hostile log is kept within bounds', () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `alive r${i}\nalive same\nboom 1 ${i}`)
    const found = find({ 'build-log.txt': lines.join('\n') })
    expect(found.hits).toHaveLength(2)
    expect(found.tracks.length).toBeLessThanOrEqual(100)
    const same = found.tracks.find(({ resource }) => resource === 'same')
    expect(same?.marks).toHaveLength(2000)
    const numbers = same?.marks.map(({ line }) => line) ?? []
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(numbers[0]).toBe(2)
  })
})

describe('against matching line by line', () => {
  const whole = boskos.signatures.filter(({ part }) => !part)

  /** The first line of each signature, cause and resource, the slow and plain way. */
  function bruteForce(lines: readonly string[]): Set<string> {
    const seen = new Set<string>()
    lines.forEach((line, index) => {
      const found = whole.flatMap((signature) => {
        const match = matchSignature(compileSignature(signature), line)
        return match ? [{ signature, match }] : []
      })
      const ids = found.map(({ signature }) => signature.id)
      for (const { signature, match } of found) {
        if (signature.yieldsTo.some((other) => ids.includes(other))) continue
        const resource = match.groups.res ?? (line.includes('name=') ? RES : '')
        const key = `${signature.id} ${match.cause} ${resource}`
        if (![...seen].some((known) => known.startsWith(`${key} @`))) seen.add(`${key} @${index + 1}`)
      }
    })
    return seen
  }

  const samples = boskos.signatures.flatMap(({ samples }) => [...samples.match, ...samples.noMatch])
  const plain = samples.map((sample) => sample.replaceAll(/([?&]|u0026)name=[^&"\\ ]+/g, `$1name=${RES}`))
  const record = (msg: string, error: string) => JSON.stringify({ error, msg, time: '2020-01-07T12:50:00Z' })
  const sample = fc.constantFrom(...plain)
  const line = fc.oneof(
    sample,
    fc.tuple(sample, sample).map(([msg, error]) => record(msg, error)),
  )

  test('property: the same hits', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (lines, size) => {
        const { hits } = match({ 'build-log.txt': { text: '', blocks: smallBlocks(lines.join('\n'), size) } })
        const found = hits
          .filter(({ signature }) => whole.some(({ id }) => id === signature))
          .map(({ signature, cause, resource, line }) => `${signature} ${cause} ${resource} @${line}`)
        expect(new Set(found)).toEqual(bruteForce(lines))
      }),
      { numRuns: 300 },
    )
  })
})

describe('placement in a log', () => {
  const placed = (lines: readonly string[], size: number) =>
    match({ 'build-log.txt': { text: '', blocks: smallBlocks(lines.join('\n'), size) } }).hits[0]?.placed

  test.each([1, 2, 3, 100])('between timed neighbours, in blocks of %i lines', (size) => {
    const lines = [
      '2020/01/07 12:10:00 a',
      'b',
      'c',
      failed('EOF'),
      failed(NO_ROUTE),
      'd',
      '2020/01/07 12:20:00 e',
      '2020/01/07 12:30:00 f',
    ]
    expect(placed(lines, size)).toEqual({
      earliest: at('2020-01-07T12:10:00Z'),
      latest: at('2020-01-07T12:20:00Z'),
      source: 'neighbours',
    })
  })

  test('lines missing from the log stop the clock', () => {
    const [head, tail] = [blocksOf([leased, sent].join('\n')), blocksOf(failed('EOF'))]
    const blocks = [...head, ...tail.map((block) => ({ ...block, firstLine: 1000 }))]
    const found = match({ 'lease.log': { text: '', kind: 'container-log', blocks } })
    expect(found.hits[0]?.placed).toEqual({ earliest: run.startedAt, latest: run.finishedAt, source: 'run' })
    expect(found.tracks[0]?.marks[0]?.placed.source).toBe('heartbeats')
  })

  const line = fc.constantFrom(
    sent,
    failed('EOF'),
    failed(NO_ROUTE, 'other'),
    leased,
    'noise',
    '2020/01/07 12:40:00 timed',
    '2020/01/07 13:50:00 W0107 12:41:00.123456       1 inner.go:1] timed',
    '2020/01/07 09:00:00 far from the run',
    '2020/01/07 13:10:02 Container lease in pod e2e-aws failed, exit code 1, reason Error',
    '{"msg":"Failed to update lease \\"x\\"","time":"2020-01-07T12:50:00Z"}',
    '',
  )

  test('property: how a log is cut into blocks changes nothing', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (lines, size) => {
        const text = lines.join('\n')
        const whole = match({ 'build-log.txt': { text: '', blocks: smallBlocks(text, 1000) } })
        expect(match({ 'build-log.txt': { text: '', blocks: smallBlocks(text, size) } })).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })

  test('property: bounds are in order and within an hour of the run', () => {
    const hour = 3_600_000
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const { hits, tracks } = match({ 'build-log.txt': lines.join('\n') })
        for (const { placed } of [...hits, ...tracks.flatMap(({ marks }) => marks)]) {
          expect(placed.earliest).toBeLessThanOrEqual(placed.latest)
          expect(placed.earliest).toBeGreaterThanOrEqual((run.startedAt ?? 0) - hour)
          expect(placed.latest).toBeLessThanOrEqual((run.finishedAt ?? 0) + hour)
        }
      }),
      { numRuns: 300 },
    )
  })
})
