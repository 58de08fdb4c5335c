import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block, Candidate } from '../model/block.ts'
import type { Evidence } from '../model/evidence.ts'
import type { Hit } from '../model/hit.ts'
import type { Incident } from '../model/incident.ts'
import { LOG_KINDS, type Log, RUN_RESULTS, RUN_TYPES, type Run, type RunKey } from '../model/run.ts'
import { sampleEvidence } from '../testing/evidence.ts'
import { sampleHit, sampleRecord, sampleRun } from '../testing/records.ts'
import { compareBytes } from './order.ts'
import { createReferenceStore } from './reference.ts'
import type { CandidateFilter, HitFilter, OrderKey, Page, Paged, RunRecord, Store } from './store.ts'

/** After any operations, the store answers everything as the brute-force reference does, page by page. */
export function sameAnswers(name: string, open: () => Promise<Store>, numRuns: number): void {
  test(`${name} answers as the reference does, whatever was written`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { maxLength: 25 }),
        fc.array(question, { maxLength: 8 }),
        async (done, asked) => {
          const reference = createReferenceStore()
          const store = await open()
          try {
            for (const each of done) expect(await apply(store, each)).toEqual(await apply(reference, each))
            const filters = [{ filter: {}, limit: 2 }, ...asked]
            expect(await answers(store, filters)).toEqual(await answers(reference, filters))
          } finally {
            await store.close()
          }
        },
      ),
      { numRuns, interruptAfterTimeLimit: 50_000 },
    )
  })
}

const HOUR = 3_600_000
/** The end of a day, so that runs and their days part company. */
const MIDNIGHT = Date.UTC(2026, 10, 4)
const DAYS = ['2026-11-03', '2026-11-04', '2026-11-05']

const time = fc.integer({ min: -4, max: 30 }).map((hours) => MIDNIGHT + hours * HOUR)
const bucket = fc.constantFrom('gs://a', 'gs://\u{1f600}')
const path = fc.constantFrom('logs/j/1', 'logs/\u{1f600}/2', 'logs/\u{fffd}/2', 'logs/é/3')
const logName = fc.constantFrom('build-log.txt', '\u{fffd}', '\u{1f600}')
const signature = fc.constantFrom('s', 'é')

const run: fc.Arbitrary<Run> = fc
  .record({
    bucket,
    path,
    time,
    type: fc.constantFrom(...RUN_TYPES),
    result: fc.constantFrom(...RUN_RESULTS),
    cluster: fc.constantFrom(undefined, 'é', '\u{1f600}'),
    failure: fc.constantFrom(undefined, 'f1', 'f2'),
    refs: fc.constantFrom(undefined, { org: 'o', repo: 'r', pulls: [{ number: 7 }, { number: 8 }, { number: 7 }] }),
  })
  .map(({ refs, cluster, failure, ...rest }) =>
    sampleRun({
      ...rest,
      ...(refs ? { refs } : {}),
      ...(cluster === undefined ? {} : { cluster }),
      ...(failure === undefined ? {} : { failure: { log: 'build-log.txt', line: 1, text: failure, group: failure } }),
    }),
  )

/** Lengths of blocks in lines; 0 stands for three windows of one line. */
const block = fc.integer({ min: 0, max: 3 })
const texts = fc.uniqueArray(fc.tuple(logName, fc.array(block, { maxLength: 4 })), { selector: ([name]) => name })

interface Written {
  readonly run: Run
  readonly texts: readonly (readonly [string, readonly Block[]])[]
  readonly record: RunRecord
}

const written: fc.Arbitrary<Written> = fc
  .record({
    run,
    texts: texts.map((logs) => logs.map(([name, lengths]) => [name, blocksOf(lengths, name)] as const)),
    logs: fc.array(logName, { maxLength: 2 }),
    kinds: fc.array(fc.constantFrom(...LOG_KINDS), { maxLength: 3 }),
    broken: fc.boolean(),
    hits: fc.array(fc.record({ signature, log: logName, line: fc.integer({ min: 1, max: 3 }) }), { maxLength: 4 }),
    tracks: fc.array(fc.record({ signature, log: logName }), { maxLength: 2 }),
    exposures: fc.array(fc.tuple(signature, time, fc.integer({ min: 0, max: 3 * HOUR })), { maxLength: 2 }),
    firstSeen: fc.nat(9),
  })
  .map(({ run, texts, firstSeen, ...given }) => {
    const names = new Set([...texts.map(([name]) => name), ...given.logs])
    const logs = [...names].map((name, i): Log => {
      const kind = given.kinds[i] ?? 'build-log'
      return { name, kind, bytes: i * 7, lines: 1, ...(given.broken ? { broken: 'cut' } : {}) }
    })
    const hits = given.hits.map((hit, i): Hit => sampleHit(run, { ...hit, text: String(i) }))
    const tracks = given.tracks.map((track, i) => ({ ...run, ...track, resource: String(i), marks: [] }))
    const exposures = given.exposures.map(([signature, from, ms]) => ({ signature, from, to: from + ms }))
    return { run, texts, record: sampleRecord(run, { logs, hits, tracks, exposures, firstSeen }) }
  })

/** As JSON has it: without -0. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)))

export type Operation = { readonly what: string } & (
  | { readonly what: 'publish' | 'abandon'; readonly written: Written }
  | { readonly what: 'fail'; readonly run: Run }
  | { readonly what: 'incidents'; readonly signature: string; readonly incidents: readonly Incident[] }
  | { readonly what: 'maintain'; readonly expireBefore: string | undefined }
  | { readonly what: 'state'; readonly value: unknown }
  | { readonly what: 'freeze'; readonly evidence: Evidence }
)

const incidents = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('i1', 'i2', '\u{1f600}', '\u{fffd}'), at: time, aliases: fc.subarray(['x', 'y']) }),
  { selector: ({ id }) => id },
)

const some = <T extends string>(all: readonly T[]) => fc.subarray([...all])
const frozen = fc
  .record({ id: fc.constantFrom('aaaaaaaaaa', 'bbbbbbbbbb'), frozenAt: time, bugs: some(['b', '\u{1f600}']) })
  .map((given) => sampleEvidence({ ...given, signatures: ['s'] }))

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('publish' as const), written }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('abandon' as const), written }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('fail' as const), run }) },
  {
    weight: 1,
    arbitrary: fc.tuple(signature, incidents).map(([of, given]) => ({
      what: 'incidents' as const,
      signature: of,
      incidents: given.map((i) => incident(of, i)),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('maintain' as const), expireBefore: fc.constantFrom(undefined, ...DAYS) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('state' as const), value: json }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('freeze' as const), evidence: frozen }) },
)

interface Question {
  readonly filter: CandidateFilter & HitFilter
  readonly limit: number
  readonly after?: OrderKey
}

const filter = fc.record(
  {
    from: time,
    to: time,
    bucket,
    jobs: some(['j', '\u{1f600}', 'é']),
    results: some(RUN_RESULTS),
    types: some(RUN_TYPES),
    buildId: fc.constantFrom('1', '2'),
    pull: fc.constantFrom({ org: 'o', repo: 'r', number: 7 }, { org: 'o', repo: 'x', number: 7 }),
    kinds: some(LOG_KINDS),
    signature,
  },
  { requiredKeys: [] },
)
const key = fc
  .record({ time, bucket, path, log: fc.option(logName), line: fc.option(fc.integer({ min: 0, max: 4 })) })
  .map(({ log, line, ...place }): OrderKey => {
    return { ...place, ...(log === null ? {} : { log, ...(line === null ? {} : { line }) }) }
  })
export const question: fc.Arbitrary<Question> = fc
  .tuple(filter, fc.integer({ min: 1, max: 9 }), fc.option(key))
  .map(([filter, limit, after]) => ({ filter, limit, ...(after ? { after } : {}) }))

/** What the operation gave that both must give. */
export async function apply(store: Store, operation: Operation): Promise<unknown> {
  switch (operation.what) {
    case 'publish':
    case 'abandon': {
      const { run, texts, record } = operation.written
      const version = await store.begin(run)
      for (const [name, blocks] of texts) {
        const kind = record.logs.find((log) => log.name === name)?.kind ?? 'build-log'
        await store.append(version, { name, kind }, blocks)
      }
      if (operation.what === 'publish') await store.publish(version, record)
      return version.day
    }
    case 'fail':
      return store.fail({
        bucket: operation.run.bucket,
        path: operation.run.path,
        code: 'X',
        message: 'x',
        at: operation.run.time,
      })
    case 'incidents':
      return store.putIncidents(operation.signature, operation.incidents)
    case 'maintain':
      return store.maintain(operation.expireBefore === undefined ? {} : { expireBefore: operation.expireBefore })
    case 'state':
      return store.putState('key', operation.value)
    case 'freeze':
      return store.putEvidence(operation.evidence)
  }
}

/** All that a store tells, ids of blocks left out. */
export async function answers(store: Store, questions: readonly Question[]): Promise<unknown> {
  const { kind: _, layout: __, storedBytes: ___, index: ____, ...status } = await store.status()
  const runs = (await pages((page) => store.runs({}, page), { limit: 100 })).flat()
  const known = await Promise.all(runs.map((run) => store.run(run)))
  return {
    status,
    known,
    described: await runsByKey(store, runs),
    jobs: await store.jobs(),
    state: await store.state('key'),
    states: await store.states(),
    problems: await pages((page) => store.problems(page), { limit: 2 }),
    stamps: await Promise.all(runs.map((run) => store.stamps(run.bucket, [run.path]))),
    incidents: await Promise.all(['i1', 'x', undefined].map((id) => store.incidents(id ? { id } : {}))),
    tracks: await store.tracks('s', runs),
    evidence: await pages((page) => store.listEvidence({ bug: 'b' }, page), { limit: 1 }),
    frozen: await Promise.all(['aaaaaaaaaa', 'cccccccccc'].map((id) => store.evidence(id))),
    asked: await Promise.all(questions.map((each) => answer(store, each))),
  }
}

/** Some named twice, and one that is none. */
async function runsByKey(store: Store, runs: readonly RunKey[]): Promise<unknown> {
  const found = await store.runsOf([...runs, ...runs.slice(0, 2), { bucket: 'gs://none', path: 'logs/j/1' }])
  return found.toSorted((a, b) => compareBytes(a.bucket + a.path, b.bucket + b.path))
}

async function answer(store: Store, { filter, ...page }: Question): Promise<unknown> {
  const { from = 0, to = MIDNIGHT + 99 * HOUR } = filter
  const blocks = await pages((next) => store.candidates(filter, next), page)
  return {
    runs: await pages((next) => store.runs(filter, next), page),
    hits: await pages((next) => store.hits(filter, next), page),
    blocks: await Promise.all(blocks.map((found) => withText(store, found))),
    counts: await store.countHits(filter),
    counted: await store.countRuns(filter),
    rollups: await store.rollups(filter),
    incidents: await store.incidents({ from, to }),
    exposure: await store.exposure('s', from, to),
    exposed: unordered(await store.exposedRuns('s', DAYS[0] ?? '', DAYS[1] ?? '')),
    failures: unordered(await store.failures(filter)),
    failed: await pages((next) => store.runs({ ...filter, failures: ['f1'] }, next), page),
  }
}

function unordered(rows: readonly object[]): object[] {
  const text = (row: object) => JSON.stringify(Object.entries(row).sort())
  return [...rows].sort((a, b) => (text(a) < text(b) ? -1 : 1))
}

/** Refs are each store's own; what they lead to is not. */
async function withText(store: Store, found: readonly Candidate[]): Promise<unknown> {
  const bytes = await store.read(found.map(({ ref }) => ref))
  return found.map(({ ref, ...block }, i) => ({ ...block, day: ref.day, text: Buffer.from(bytes[i] ?? []).toString() }))
}

async function pages<T>(read: (page: Page) => Promise<Paged<T>>, first: Page): Promise<(readonly T[])[]> {
  const all: (readonly T[])[] = []
  for (let page: Page | undefined = first; page; ) {
    const { items, next }: Paged<T> = await read(page)
    all.push(items)
    page = next && { ...page, after: next }
  }
  return all
}

function blocksOf(lengths: readonly number[], text: string): Block[] {
  let line = 1
  return lengths.flatMap((length, i) => {
    const part = {
      firstLine: line,
      lineCount: Math.max(1, length),
      bytes: Buffer.from(`${text} ${i}`),
      ascii: i % 2 === 0,
    }
    line += part.lineCount
    return length > 0 ? [part] : [0, 1, 2].map((window) => ({ ...part, window }))
  })
}

function incident(signature: string, given: { id: string; at: number; aliases: readonly string[] }): Incident {
  const span = { earliest: given.at, latest: given.at }
  return {
    ...given,
    signature,
    from: span,
    to: span,
    causes: [],
    runs: [],
    jobs: [],
    pulls: [],
    clusters: [],
    votes: 1,
  }
}
