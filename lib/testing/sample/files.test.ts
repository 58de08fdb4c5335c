import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runFiles, type SampleObject } from './files.ts'
import type { Planned } from './plan.ts'
import { READ, readText } from './readable.ts'
import { schedule } from './schedule.ts'
import { LATEST_LINE, MINUTE, type NearMiss } from './story.ts'
import { storyOf } from './telling.ts'

const SEED = 1750890
const END = Date.UTC(2026, 10, 30, 12)
const runs = schedule(SEED, END)
const story = storyOf(runs, SEED, END)

/** The signatures that the story plants, from the files that people edit; their regexes as JavaScript's. */
const SIGNATURES = ['ci', 'boskos']
  .flatMap((file) => signaturesOf(`signatures/${file}.yaml`))
  .filter(({ id }) => story.signatures.some((planted) => planted.id === id))

interface Rules {
  readonly id: string
  readonly regexes: readonly RegExp[]
  readonly witness: RegExp | undefined
}

function signaturesOf(file: string): Rules[] {
  const { signatures } = parse(readFileSync(file, 'utf8')) as {
    signatures: { id: string; regexes?: string[]; witness?: string }[]
  }
  const js = (regex: string) => new RegExp(regex.replaceAll('(?P<', '(?<'), 'm')
  return signatures.map(({ id, regexes = [], witness }) => ({
    id,
    regexes: regexes.map(js),
    witness: witness === undefined ? undefined : js(witness),
  }))
}

const NEAR: Readonly<Record<NearMiss, string>> = {
  'kubelet-lease': 'controller.go:195] "Failed to update lease" err=',
  'node-lease-route': 'failed to ensure node lease exists, will retry',
  'leader-election': '"Failed to update lock"',
  'server-no-route': 'Unable to connect to the server: dial tcp',
  'span-eof': 'Post http://localhost:9411/api/v2/spans: EOF',
  'grep-echo': "+ grep -c 'failed to send heartbeat for resource'",
  'quoted-test-name': 'report failed to update lease [Suite:',
  nmos: 'Failed to send heartbeat for resource ID ',
  'source-diff': 'failed to send heartbeat for resource %q',
  'short-disruption': 'within the allowed share',
}

/** What is said in the objects of all runs, gathered in one pass. */
const seen = {
  hits: new Map<string, Set<string>>(),
  witnesses: new Map<string, Set<string>>(),
  nearMisses: new Map<string, Set<string>>(),
  objects: 0,
  bytes: 0,
  zipped: new Set<string>(),
  names: new Set<string>(),
  early: [] as string[],
  late: [] as string[],
}

const note = (map: Map<string, Set<string>>, id: string, path: string) => {
  const paths = map.get(id) ?? new Set()
  map.set(id, paths.add(path))
}

function look(run: Planned, object: SampleObject): void {
  seen.objects++
  seen.bytes += object.bytes.length
  seen.names.add(object.name.replaceAll(/\d+/g, '0'))
  if (object.bytes[0] === 0x1f) seen.zipped.add(object.name.slice(object.name.lastIndexOf('/') + 1))
  if (!READ.test(object.name)) return
  const text = readText(object)
  for (const { id, regexes, witness } of SIGNATURES) {
    if (regexes.some((regex) => regex.test(text))) note(seen.hits, id, run.path)
    if (witness?.test(text)) note(seen.witnesses, id, run.path)
  }
  for (const [id, mark] of Object.entries(NEAR)) if (text.includes(mark)) note(seen.nearMisses, id, run.path)
  if (object.name !== 'build-log.txt') return
  for (const [, when = ''] of text.matchAll(/^(?:[A-Z]{4}\[)?(\d{4}[/-]\d\d[/-]\d\d[ T]\d\d:\d\d:\d\d)/gm)) {
    const at = Date.parse(`${when.replaceAll('/', '-').replace(' ', 'T')}Z`)
    if (at < run.start - 1000) seen.early.push(`${run.path} ${when}`)
    if (at > run.end + 1000) seen.late.push(`${run.path} ${when}`)
  }
}

beforeAll(() => {
  for (const run of runs) for (const object of runFiles(run)) look(run, object)
})

describe('what is planted is there, and only there', () => {
  test.each(SIGNATURES.map(({ id }) => id))('%s', (id) => {
    const planted = story.signatures.find((signature) => signature.id === id)?.incidents ?? []
    const paths = planted.flatMap(({ runs: hit }) => hit.map(({ path }) => path))
    expect([...(seen.hits.get(id) ?? [])].sort()).toEqual([...new Set(paths)].sort())
  })

  test('every planted failure has a signature', () => {
    expect(story.signatures.map(({ id }) => id)).toEqual(SIGNATURES.map(({ id }) => id).sort())
  })
})

/** The time that stands on a line: ci-operator's, an e2e test's (whose year is 2026 in this bucket) or klog's. */
function timeOn(line: string): number {
  const full = /(\d{4})[/-](\d\d)[/-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(line)
  if (full) return Date.parse(`${full.slice(1, 4).join('-')}T${full[4]}Z`)
  const short = /([A-Z][a-z]{2}) +(\d+) (\d\d:\d\d:\d\d)/.exec(line)
  return short ? Date.parse(`${short[2]} ${short[1]} 2026 ${short[3]} UTC`) : Number.NaN
}

test.each(['api.disruption', 'mirror.mismatch', 'lease.exhausted', 'image.pull503'])(
  'the first line of %s follows its true instant',
  (id) => {
    const rules = SIGNATURES.find((signature) => signature.id === id)
    const hit = runs.filter(({ plants, shape }) => !shape && plants.some((plant) => plant.id === id))
    const delays = hit.map((run) => {
      const logs = runFiles(run).filter(({ name }) => name.endsWith('build-log.txt'))
      const lines = logs.flatMap((log) => readText(log).split('\n'))
      const first = lines.find((line) => rules?.regexes.some((regex) => regex.test(line))) ?? ''
      return timeOn(first) - (run.plants.find((plant) => plant.id === id)?.at ?? 0)
    })
    const timed = delays.filter((delay) => !Number.isNaN(delay))
    expect(timed).toHaveLength(hit.length)
    expect(Math.min(...timed)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...timed)).toBeLessThanOrEqual(LATEST_LINE)
  },
)

test('60 to 120 MiB, of which a tenth of build and lease logs are gzip under their plain name', () => {
  expect(seen.bytes / 2 ** 20).toBeGreaterThan(60)
  expect(seen.bytes / 2 ** 20).toBeLessThan(120)
  expect(seen.zipped).toEqual(new Set(['build-log.txt', 'lease.log', 'setup.log']))
})

test('the times on build-log lines lie within the run', () => {
  expect(seen.early).toEqual([])
  expect(seen.late).toEqual([])
})

test('all kinds of objects are there', () => {
  for (const name of [
    'started.json',
    'finished.json',
    'prowjob.json',
    'podinfo.json',
    'clone-records.json',
    'clone-log.txt',
    'build-log.txt',
    'test-build-log.txt',
    'docker-build-log.txt',
    'artifacts/ci-operator.log',
    'artifacts/junit/junit_e0e_0.xml',
    'artifacts/e0e-aws/container-logs/lease.log',
    'artifacts/e0e-aws/ipi-install-install/build-log.txt',
    'artifacts/e0e-aws/openshift-e0e-test/build-log.txt',
    'artifacts/e0e-aws/openshift-e0e-test/finished.json',
    'artifacts/e0e-aws/gather-extra/build-log.txt',
  ]) {
    expect(seen.names).toContain(name)
  }
})

describe('witnesses', () => {
  const showing = (id: string) => seen.witnesses.get(id) ?? new Set()

  test('every run that holds a lease shows heartbeats', () => {
    const holding = runs.filter(
      ({ lease, shape }) => lease && lease.to - lease.from > MINUTE && !HIDDEN.has(shape ?? ''),
    )
    expect(holding.filter(({ path }) => !showing('boskos.heartbeat').has(path)).map(({ path }) => path)).toEqual([])
  })

  test('mirror runs show theirs until the step is renamed', () => {
    const mirrors = runs.filter(
      ({ job, state, plants }) => job.style === 'images' && state === 'success' && plants.length === 0,
    )
    for (const run of mirrors.filter(({ shape }) => !shape)) {
      expect(showing('mirror.mismatch').has(run.path), run.path).toBe(run.oldMirror)
    }
  })
})

/** Runs without logs. */
const HIDDEN = new Set(['died-before-logging', 'only-prowjob', 'pending', 'clone-failed'])

test.each(Object.keys(NEAR))('near-miss %s is in a readable log of most runs that are to hold it', (id) => {
  const meant = story.nearMisses.find((near) => near.id === id)?.paths ?? []
  const held = meant.filter((path) => seen.nearMisses.get(id)?.has(path))
  expect(meant.length).toBeGreaterThan(5)
  expect(held.length / meant.length).toBeGreaterThan(0.6)
})
