import { describe, expect, it } from 'vitest'
import { memorySource } from '../discover/testing/memory-source.ts'
import { logGlobs } from './log-globs.ts'
import { type ListLimits, listTop, selectLogs } from './select-logs.ts'

const RUN = 'logs/job/7'
const GLOBS = logGlobs(['build-log.txt', 'artifacts/*/build-log.txt', 'artifacts/**/junit*.xml'])
const LIMITS: ListLimits = { listings: 20, pages: 5, logs: 50, depth: 4 }
const many = (directory: string, count: number, name = 'object') =>
  Array.from({ length: count }, (_, at) => `${directory}/${name}-${String(at).padStart(4, '0')}.txt`)

async function select(names: readonly string[], limits: Partial<ListLimits> = {}, globs = GLOBS) {
  const objects = new Map(names.map((name) => [`${RUN}/${name}`, { text: '' }]))
  objects.set(`${RUN}0/build-log.txt`, { text: 'of another run' })
  const source = memorySource(objects, { pageSize: 10 })
  const top = await listTop(source, RUN)
  const { list } = source.counts
  const { logs, warnings } = await selectLogs(source, RUN, top, globs, { ...LIMITS, ...limits })
  return { logs: [...logs.keys()], warnings, requests: source.counts.list - list, asked: source.asked }
}

describe('the logs of a run', () => {
  const DEEP = ['artifacts/a/b/c/junit.xml', 'artifacts/a/b/c/d/junit.xml']
  it.each<[string, readonly string[], Partial<ListLimits>, readonly string[], readonly string[]]>([
    [
      'are those of the globs, in byte order',
      ['artifacts/t/build-log.txt', 'build-log.txt', 'x.txt', 'artifacts/junit_a.xml'],
      {},
      ['artifacts/junit_a.xml', 'artifacts/t/build-log.txt', 'build-log.txt'],
      [],
    ],
    [
      'have odd names',
      ['artifacts/a#b/build-log.txt', 'artifacts/a%2Fb/build-log.txt', 'artifacts/a\nb/build-log.txt'],
      {},
      ['artifacts/a#b/build-log.txt', 'artifacts/a%2Fb/build-log.txt'],
      ['artifacts: names with control characters left out: 1'],
    ],
    [
      'end at a depth, which is told',
      ['build-log.txt', ...DEEP],
      {},
      ['artifacts/a/b/c/junit.xml', 'build-log.txt'],
      ['artifacts: directories below 4 others not listed; logs may be missing'],
    ],
    [
      'end at a number, which is told',
      ['artifacts/a/junit-1.xml', 'artifacts/a/junit-2.xml', 'build-log.txt'],
      { logs: 2 },
      ['artifacts/a/junit-1.xml', 'artifacts/a/junit-2.xml'],
      ['artifacts: 3 logs found, the first 2 read'],
    ],
    [
      'of a huge directory end at its pages, which is told, and leave out no other',
      ['build-log.txt', ...many('artifacts/big', 200), 'artifacts/big/zzz/junit.xml', 'artifacts/late/junit.xml'],
      {},
      ['artifacts/late/junit.xml', 'build-log.txt'],
      ['artifacts/big: listing stopped after 5 requests; logs may be missing'],
    ],
    [
      'of huge directories end with the requests, which is told',
      ['build-log.txt', ...['a', 'b', 'c', 'd', 'e'].flatMap((name) => many(`artifacts/${name}`, 200))],
      {},
      ['build-log.txt'],
      [
        'artifacts/a: listing stopped after 5 requests; logs may be missing',
        'artifacts/b: listing stopped after 5 requests; logs may be missing',
        'artifacts/c: listing stopped after 5 requests; logs may be missing',
        'artifacts/d: listing stopped after 4 requests; logs may be missing',
        'artifacts: listing stopped after 20 requests; logs may be missing',
      ],
    ],
    [
      'that take all requests are whole',
      Array.from({ length: 9 }, (_, at) => `artifacts/${at}/build-log.txt`),
      { listings: 10 },
      Array.from({ length: 9 }, (_, at) => `artifacts/${at}/build-log.txt`),
      [],
    ],
    [
      'of a run with a huge top are told to be incomplete',
      ['build-log.txt', ...many('.', 250, 'a').map((name) => name.slice(2))],
      {},
      [],
      ['run: listing stopped after 20 requests; logs may be missing'],
    ],
    ['are none of an empty run', [], {}, [], []],
  ])('%s', async (_, names, limits, logs, warnings) => {
    const found = await select(names, limits)
    expect(found.logs).toEqual(logs)
    expect(found.warnings).toEqual(warnings)
    expect(found.requests).toBeLessThanOrEqual(limits.listings ?? LIMITS.listings)
  })

  it('are looked for along the globs alone', async () => {
    const names = [
      'artifacts/t/build-log.txt',
      'artifacts/t/deep/x.txt',
      'other/y.txt',
      ...many('artifacts/t/deep/er', 50),
    ]
    const { asked } = await select(names, {}, logGlobs(['artifacts/*/build-log.txt']))
    expect(asked).toEqual([`${RUN}/`, `${RUN}/artifacts/`, `${RUN}/artifacts/t/`])
  })
})
