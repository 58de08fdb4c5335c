import { describe, expect, it } from 'vitest'
import { compareIds, snowflakeAt, snowflakeTime } from '#lib/model/build-id.ts'
import { openDirectory } from '../source/directory.ts'
import type { Source } from '../source/source.ts'
import { type Files, temporaryDirectory, writeFiles } from '../testing/bucket.ts'
import { jobFilter, type Scope } from './discovery.ts'
import { listingDiscovery } from './listing.ts'
import { parseRunPath } from './run-path.ts'

describe('build ids', () => {
  it.each([
    ['1541815603606036480', Date.UTC(2022, 5, 28, 16, 7, 40)],
    ['8664', undefined],
    ['20190702-201730', undefined],
    ['99999999999999999999', undefined],
  ])('%s was given at %j', (id, time) => {
    const told = snowflakeTime(id)
    expect(told === undefined ? undefined : Math.floor(told / 1000)).toBe(time === undefined ? undefined : time / 1000)
  })

  it('sort numerically, as text beyond 2^53', () => {
    expect(['1146154541064884225', '9', '10', '1146154541064884224'].sort(compareIds)).toEqual([
      '9',
      '10',
      '1146154541064884224',
      '1146154541064884225',
    ])
  })
})

describe('run paths', () => {
  it.each([
    ['logs/job/12', { job: 'job', buildId: '12', type: 'periodic' }],
    ['pr-logs/pull/org_repo/3/job/12', { type: 'presubmit', pull: 3, repo: { org: 'org', repo: 'repo' } }],
    ['pr-logs/pull/a_b_c/3/job/12', { repo: { org: 'a', repo: 'b_c' } }],
    ['pr-logs/pull/repo/3/job/12', { type: 'presubmit', pull: 3, job: 'job' }],
    ['pr-logs/pull/3/job/12', { type: 'presubmit', pull: 3, job: 'job' }],
    ['pr-logs/pull/batch/job/12', { type: 'batch', job: 'job' }],
    ['pr-logs/pull/org_repo/batch/job/12', { type: 'batch', job: 'job', repo: { org: 'org', repo: 'repo' } }],
  ])('%s', (path, expected) => {
    expect(parseRunPath(path)).toMatchObject({ path, ...expected })
  })

  it.each([
    'logs/job',
    'logs/job/latest',
    'logs/a/b/12',
    'logs//12',
    'pr-logs/directory/job/12',
    'pr-logs/pull/x/y/job/12',
    '',
  ])('%j is none', (path) => {
    expect(parseRunPath(path)).toBeUndefined()
  })
})

const NOW = Date.UTC(2026, 4, 1)
const DAY = 86_400_000
const [fresh, older] = [snowflakeAt(NOW - DAY), snowflakeAt(NOW - 30 * DAY)]
const startedAt = (time: number) => JSON.stringify({ timestamp: time / 1000 })

const BUCKET: Files = {
  [`logs/periodic/${fresh}/started.json`]: '{}',
  [`logs/periodic/${older}/started.json`]: '{}',
  'logs/periodic/latest-build.txt': fresh,
  'logs/periodic/20190702-201730/started.json': '{}',
  [`logs/moved/${older}/started.json`]: '{}',
  [`logs/moved/${fresh}/started.json`]: '{}',
  'logs/moved/99/started.json': startedAt(NOW - 900 * DAY),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`logs/counted/${i + 1}/started.json`, startedAt(NOW - (12 - i) * 4 * DAY)]),
  ),
  [`pr-logs/pull/org_repo/5/presubmit/${fresh}/started.json`]: '{}',
  [`pr-logs/pull/org_repo/5/presubmit/${older}/started.json`]: '{}',
  [`pr-logs/pull/7/presubmit-of-default/${fresh}/started.json`]: '{}',
  [`pr-logs/pull/batch/batched/${fresh}/started.json`]: '{}',
  [`pr-logs/pull/org_repo/batch/batched-too/${fresh}/started.json`]: '{}',
  [`pr-logs/directory/presubmit/${fresh}.txt`]: `gs://old-name/pr-logs/pull/org_repo/5/presubmit/${fresh}\n`,
  [`pr-logs/directory/presubmit/${older}.txt`]: `gs://old-name/pr-logs/pull/org_repo/5/presubmit/${older}\n`,
  [`pr-logs/directory/presubmit-of-default/${fresh}.txt`]: `gs://b/pr-logs/pull/7/presubmit-of-default/${fresh}`,
  [`pr-logs/directory/presubmit/${BigInt(fresh) + 1n}.txt`]: 'gs://b/pr-logs/pull/../../etc/passwd',
  'pr-logs/directory/presubmit/latest-build.txt': fresh,
  'index/other.txt': 'x',
}

/** As a far bucket would answer; the prefixes it was asked for. */
function remote(source: Source, asked: string[]): Source {
  return {
    bucket: source.bucket,
    local: false,
    list: (options) => {
      asked.push(options.prefix)
      return source.list(options)
    },
    stat: (name) => source.stat(name),
    read: (name, options) => {
      asked.push(name)
      return source.read(name, options)
    },
    traffic: () => source.traffic(),
    close: () => source.close(),
  }
}

async function find(local: boolean, scope: Partial<Scope>) {
  const root = temporaryDirectory()
  writeFiles(root, BUCKET)
  const asked: string[] = []
  const directory = await openDirectory(root)
  const source = local ? directory : remote(directory, asked)
  const { runs: found } = await listingDiscovery(source).find({
    jobs: jobFilter(undefined, undefined),
    from: 0,
    knownTimes: async () => new Map(),
    ...scope,
  })
  const paths = found.map((run) => run.path).sort()
  expect(new Set(paths).size).toBe(paths.length)
  return { paths, asked }
}

describe.each([
  ['a directory', true],
  ['a remote bucket', false],
])('listing %s', (_, local) => {
  const counted = (...numbers: number[]) => numbers.map((number) => `logs/counted/${number}`)

  it('finds every run', async () => {
    const { paths } = await find(local, {})
    expect(paths).toEqual(
      [
        ...counted(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        'logs/moved/99',
        ...[fresh, older].flatMap((id) => [
          `logs/moved/${id}`,
          `logs/periodic/${id}`,
          `pr-logs/pull/org_repo/5/presubmit/${id}`,
        ]),
        `pr-logs/pull/7/presubmit-of-default/${fresh}`,
        `pr-logs/pull/batch/batched/${fresh}`,
        `pr-logs/pull/org_repo/batch/batched-too/${fresh}`,
      ].sort(),
    )
  })

  it('finds the runs since a time, whichever way they are numbered', async () => {
    const { paths } = await find(local, { from: NOW - 14 * DAY })
    expect(paths).toEqual(
      [
        ...counted(10, 11, 12),
        `logs/moved/${fresh}`,
        `logs/periodic/${fresh}`,
        `pr-logs/pull/org_repo/5/presubmit/${fresh}`,
        `pr-logs/pull/7/presubmit-of-default/${fresh}`,
        `pr-logs/pull/batch/batched/${fresh}`,
        `pr-logs/pull/org_repo/batch/batched-too/${fresh}`,
      ].sort(),
    )
  })

  it('finds the runs of some jobs', async () => {
    const { paths } = await find(local, { jobs: jobFilter('^presubmit|^batched', '-too$'), from: NOW - 14 * DAY })
    expect(paths).toEqual(
      [
        `pr-logs/pull/org_repo/5/presubmit/${fresh}`,
        `pr-logs/pull/7/presubmit-of-default/${fresh}`,
        `pr-logs/pull/batch/batched/${fresh}`,
      ].sort(),
    )
  })
})

it('asks a remote bucket for no artifacts and no pull request', async () => {
  const { asked } = await find(false, { from: NOW - 14 * DAY })
  const inPulls = new Set(asked.filter((prefix) => prefix.startsWith('pr-logs/pull/')))
  expect([...inPulls].sort()).toEqual([
    'pr-logs/pull/',
    'pr-logs/pull/batch/',
    'pr-logs/pull/batch/batched/',
    'pr-logs/pull/org_repo/batch/',
    'pr-logs/pull/org_repo/batch/batched-too/',
  ])
  const inRuns = asked.filter((prefix) => /^logs\/[^/]+\/\d+\//.test(prefix))
  expect(inRuns.filter((name) => !name.endsWith('started.json'))).toEqual([])
})

it('says where a job pattern does not parse', () => {
  expect(() => jobFilter('a(b', undefined)).toThrow(expect.objectContaining({ code: 'REGEX_SYNTAX' }))
})
