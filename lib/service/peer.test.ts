import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSearcher, type Searcher } from '../search/engine.ts'
import { parsePeerQuery } from '../search/peer-query.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, HOUR, makeRun } from '../testing/values.ts'
import type { Context } from './context.ts'
import { peerSearch } from './peer.ts'
import { byPattern, byRun, peerLines } from './peer-answer.ts'

const NOW = Date.UTC(2026, 11, 1, 12)
const SITE = 'https://prowl.test'
const VIEW = 'https://prow.ci.openshift.org/view/gs/test-platform-results/logs'
const store = createReferenceStore()
let ctx: Context
let searcher: Searcher

beforeAll(async () => {
  searcher = createSearcher({ store, threads: 1 })
  ctx = { ...makeContext(store, [], NOW), searcher }
  const put = async (path: string, daysAgo: number, texts: Readonly<Record<string, string>>, bucket?: string) => {
    const run = makeRun({
      bucket: bucket ?? 'gs://origin-ci-test',
      path,
      startedAt: NOW - daysAgo * DAY - HOUR,
      result: 'success',
    })
    const logs = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const)
    await storeRun(store, run, Object.fromEntries(logs))
  }
  await put('logs/e2e/2', 1, {
    'artifacts/a/junit.xml': 'EOF one\nEOF two\n',
    'artifacts/b/lease.log': 'EOF in a container\n',
    'artifacts/c/junit.xml': 'EOF three\n',
    'build-log.txt': 'before\nEOF 1\nbetween\nEOF 2\nEOF 3\nafter\n',
  })
  await put('logs/e2e/1', 1.5, { 'build-log.txt': 'fine\nEOF 404\n__proto__\n' })
  await put('logs/old/3', 3, { 'build-log.txt': 'EOF of old\n' })
  await put('logs/elsewhere/4', 1, { 'build-log.txt': '\u001b[31mEOF\u001b[0m elsewhere\n' }, 'dir://mine')
})
afterAll(() => searcher.close())

function ask(text: string) {
  return peerSearch(ctx, parsePeerQuery(new URLSearchParams(`type=all&${text}`)))
}

describe('as ci-search tells it', () => {
  const match = (filename: string, context: readonly string[], moreLines = 0) => ({
    name: 'e2e',
    lastModified: null,
    filename,
    context,
    ...(moreLines ? { moreLines } : {}),
  })

  test('by run, addresses sorted, each file giving as many as asked', async () => {
    const answer = byRun(await ask('search=EOF'), SITE)
    expect(Object.keys(answer)).toEqual([`${VIEW}/e2e/1`, `${VIEW}/e2e/2`, `${SITE}/runs/dir/mine/logs/elsewhere/4`])
    expect(answer[`${VIEW}/e2e/2`]).toEqual({
      EOF: [
        match('junit', ['EOF one', 'EOF two'], 2),
        match('artifacts/b/lease.log', ['EOF in a container']),
        match('build-log', ['before', 'EOF 1', 'between'], 2),
      ],
    })
    expect(answer[`${SITE}/runs/dir/mine/logs/elsewhere/4`]).toMatchObject({ EOF: [{ context: ['EOF elsewhere'] }] })
    expect(await ask('search=EOF').then(({ partial }) => partial)).toEqual([])
  })

  test('by pattern, byte for byte, newest first; fields stand in the order recorded', async () => {
    const patterns = ['__proto__', ' 404', '(EOF [12])$', 'nowhere', 'EOF']
    const answer = await ask(`${patterns.map((each) => `search=${encodeURIComponent(each)}`).join('&')}&context=0`)
    const { results } = byPattern(answer, SITE)
    expect(Object.keys(results).sort()).toEqual([' 404', '(EOF [12])$', 'EOF', '__proto__'])
    expect(JSON.stringify(results[' 404'])).toBe(
      `{"matches":[{"name":"e2e","lastModified":null,"filename":"build-log","context":["EOF 404"],"url":"${VIEW}/e2e/1"}]}`,
    )
    expect(results['(EOF [12])$']?.matches).toEqual([{ ...match('build-log', ['EOF 1'], 1), url: `${VIEW}/e2e/2` }])
  })

  test('nothing found is empty in both forms', async () => {
    const answer = await ask('search=nowhere')
    expect([byRun(answer, SITE), byPattern(answer, SITE), peerLines(answer)]).toEqual([{}, { results: {} }, ''])
  })

  test('several matches a file', async () => {
    const { results } = byPattern(await ask('search=EOF&name=^e2e$&context=0&maxMatches=2'), SITE)
    expect(results.EOF?.matches.map(({ filename, context, moreLines }) => [filename, context[0], moreLines])).toEqual([
      ['junit', 'EOF one', undefined],
      ['junit', 'EOF two', 1],
      ['artifacts/b/lease.log', 'EOF in a container', undefined],
      ['build-log', 'EOF 1', undefined],
      ['build-log', 'EOF 2', 1],
      ['build-log', 'EOF 404', undefined],
    ])
  })

  test('links only', async () => {
    expect(byRun(await ask('search=404&context=-1'), SITE)).toEqual({
      [`${VIEW}/e2e/1`]: { 404: [match('build-log', [])] },
    })
  })

  test('lines for grep', async () => {
    expect(peerLines(await ask('search=404'))).toBe('e2e 1 build-log.txt:2: EOF 404\n')
  })
})

test('trackers are not searched', async () => {
  const bugs = parsePeerQuery(new URLSearchParams('search=EOF&type=bug'))
  expect((await peerSearch(ctx, bugs)).found).toEqual([])
  const junit = parsePeerQuery(new URLSearchParams('search=(&type=bug'))
  await expect(peerSearch(ctx, junit)).rejects.toMatchObject({ code: 'REGEX_SYNTAX' })
})

test('what is beyond the bytes asked for is left out, and that is told', async () => {
  const { found, partial } = await ask('search=EOF&maxBytes=600&context=0')
  expect(found[0]?.matches.length).toBeGreaterThan(0)
  expect(found[0]?.matches.length).toBeLessThan(5)
  expect(partial).toEqual(['limit'])
})

test('one fault among several patterns is named', async () => {
  await expect(ask('search=fine&search=a(')).rejects.toMatchObject({
    code: 'REGEX_SYNTAX',
    position: 1,
    pattern: { parameter: 'search', index: 1, text: 'a(' },
  })
})

test('a search in many steps gives each match once', async () => {
  const many = createReferenceStore()
  const lines = Array.from({ length: 400 }, (_, i) => `beat ${i}`).join('\n')
  for (let id = 1; id <= 4; id++)
    await storeRun(many, makeRun({ path: `logs/e2e/${id}`, startedAt: NOW - id * HOUR - HOUR }), {
      'build-log.txt': Buffer.from(lines),
    })
  const own = createSearcher({ store: many, threads: 1 })
  const query = parsePeerQuery(new URLSearchParams('search=beat&type=all&maxMatches=500&context=0'))
  const { found, partial } = await peerSearch({ ...ctx, store: many, searcher: own }, query)
  await own.close()
  const given = found[0]?.matches.map(({ hit }) => `${hit.buildId} ${hit.line}`) ?? []
  expect([given.length, new Set(given).size, partial]).toEqual([1_600, 1_600, []])
})
