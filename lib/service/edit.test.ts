import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSearcher } from '../search/engine.ts'
import { loadCatalogue } from '../signature/catalogue.ts'
import { putDefinitions } from '../signature/definitions.ts'
import { createMatcher } from '../signature/run-matcher.ts'
import { createReferenceStore } from '../store/reference.ts'
import { makeContext } from '../testing/context.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, makeRun } from '../testing/values.ts'
import type { Context } from './context.ts'
import { editView, MAX_EDIT_BYTES } from './edit.ts'

const NOW = Date.UTC(2026, 10, 3)
const FILE = `causes: &none []
signatures:
  - id: first
    title: First
    kind: per-run
    regexes: &words
      - 'first \\d'
    samples:
      match: ['first 1']

  - id: second
    title: Second
    kind: per-run
    regexes:
      - 'second \\d'
    excludes: *words
`
const ENTRY = `- id: second
  title: Second
  kind: per-run
  regexes:
    - 'second \\d'
  excludes: *words`

let dir: string
let file: string
let ctx: Context
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edit-'))
  file = join(dir, 'a.yaml')
  await writeFile(file, FILE)
  const { signatures, problems } = await loadCatalogue([dir])
  expect(problems).toEqual([])
  const store = createReferenceStore()
  const matcher = createMatcher({ signatures, problems })
  for (const [at, text] of ['start\nsecond 1', 'second x', 'first 1 second 2'].entries()) {
    const run = makeRun({ path: `logs/e2e/${at}`, startedAt: NOW - (at + 1) * DAY, result: 'failure' })
    const matching = matcher.startRun(run)
    const log = matching.startLog({ name: 'build-log.txt', kind: 'build-log' })
    log.block({ firstLine: 1, lineCount: text.split('\n').length, bytes: Buffer.from(text), ascii: true })
    log.end()
    await storeRun(store, run, { 'build-log.txt': Buffer.from(`${text}\n`) }, matching.finish({ complete: true }).hits)
  }
  const made = makeContext(store, signatures, NOW)
  ctx = {
    ...made,
    config: { ...made.config, signatureDirs: [dir] },
    searcher: createSearcher({ store, threads: 2 }),
  }
})
afterAll(async () => {
  await ctx.searcher.close()
  expect(await readFile(file, 'utf8')).toBe(FILE)
  expect(await readdir(dir)).toEqual(['a.yaml'])
  await rm(dir, { recursive: true })
})

test('as the file has it: its lines, and nothing looked at', async () => {
  const expected = { signature: { id: 'second', title: 'Second' }, file, lines: { from: 11, to: 16 }, yaml: ENTRY }
  expect(await editView(ctx, 'second')).toEqual({ ...expected, problems: [] })
  expect(await editView(ctx, 'second', { yaml: `${ENTRY.replaceAll('\n', '\r\n')}\r\n` })).toEqual({
    ...expected,
    problems: [],
    same: true,
  })
  await expect(editView(ctx, 'third')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a file that has just changed is cut where the entry is now', async () => {
  await writeFile(file, `# one line more\n${FILE}`)
  expect(await editView(ctx, 'second')).toMatchObject({ lines: { from: 12, to: 17 }, yaml: ENTRY })
  await writeFile(file, FILE.replace('id: second', 'id: third'))
  await expect(editView(ctx, 'second')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringMatching(/just changed/),
  })
  await writeFile(file, FILE)
})

test('an edit: each run with the link to its line, and the YAML as the file needs it', async () => {
  const yaml = ENTRY.replace('second \\d', 'second [x2]')
  const { answer, paste, problems } = await editView(ctx, 'second', { yaml })
  expect(problems).toEqual([])
  expect(paste).toBe(yaml.replace(/^/gm, '  '))
  expect(answer).toMatchObject({ runs: 3, expired: 0, leftOut: 0, partial: false, stale: [] })
  expect(answer?.previews).toMatchObject([
    {
      signature: 'second',
      kept: 0,
      gained: { count: 1, runs: [{ run: { path: 'logs/e2e/1' }, hits: [{ hit: { line: 1, text: 'second x' } }] }] },
      lost: { count: 1, runs: [{ run: { path: 'logs/e2e/0' }, hits: [{ hit: { line: 2, text: 'second 1' } }] }] },
    },
  ])
  expect(answer?.previews[0]?.lost.runs[0]?.hits[0]?.links.prowl).toMatch(/logs\/e2e\/0\?log=build-log\.txt&line=2#L2$/)
})

test('an edit of what others use is told of them, too', async () => {
  const { yaml } = await editView(ctx, 'first')
  const narrower = yaml.replace("'first \\d'", () => "'first 1$'")
  const { answer, problems } = await editView(ctx, 'first', { yaml: narrower })
  expect(problems).toEqual([])
  expect(answer?.previews.map(({ signature, gained, lost }) => [signature, gained.count, lost.count])).toEqual([
    ['first', 0, 1],
    ['second', 1, 0],
  ])
})

test('a title alone changes no run', async () => {
  const { answer, paste } = await editView(ctx, 'second', { yaml: ENTRY.replace('title: Second', 'title: Other') })
  expect(answer).toMatchObject({ previews: [], runs: 0 })
  expect(paste).toContain('title: Other')
})

test('a new signature is a file beside the others', async () => {
  const { yaml } = await editView(ctx, undefined)
  const { answer, problems, paste } = await editView(ctx, undefined, { yaml })
  expect(problems).toEqual([])
  expect(paste).toBe(yaml)
  expect(answer?.previews).toMatchObject([{ signature: 'area.failure', why: 'new', gained: { count: 0 } }])
})

test('stored hits that are of other rules than the file’s are said to be', async () => {
  const yaml = ENTRY.replace('second \\d', 'second')
  await putDefinitions(ctx.store, { second: { definition: 'older', since: 0 } })
  expect((await editView(ctx, 'second', { yaml })).answer?.stale).toEqual(['second'])
  await putDefinitions(ctx.store, {})
  expect((await editView(ctx, 'second', { yaml })).answer?.stale).toEqual(['second'])
})

describe('what is wrong with an edit is told with its line', () => {
  const bomb = Array.from({ length: 12 }, (_, at) =>
    at === 0
      ? 'l0: &l0 [x, x]'
      : `l${at}: &l${at} [${Array(9)
          .fill(`*l${at - 1}`)
          .join(', ')}]`,
  ).join('\n')

  test.each([
    [
      'a regex',
      ENTRY.replace("'second \\d'", "'second (\\d'"),
      { line: 5, signature: 'second', text: "- 'second (\\d'" },
      /missing closing \).*\(at character 8\)/,
    ],
    [
      'an unknown word',
      ENTRY.replace('excludes:', 'exclude:'),
      { line: 6, text: 'exclude: *words' },
      /[Uu]nrecognized key/,
    ],
    [
      'a sample that does not hold',
      `${ENTRY}\n  samples:\n    match:\n      - third 1`,
      { line: 9, signature: 'second', text: '- third 1' },
      /^must match but does not/,
    ],
    [
      'a sample that must not match',
      `${ENTRY}\n  samples:\n    no_match:\n      - second 1`,
      { line: 9 },
      /^must not match but does/,
    ],
    ['an unknown anchor', ENTRY.replace('*words', '*other'), { line: 6 }, /alias/i],
    ['no YAML', ENTRY.replace('kind: per-run', 'kind: [per-run'), { in: 'edit' }, /./],
    ['an id that is there', ENTRY.replace('id: second', 'id: first'), { line: 1 }, /already defined/],
  ])('%s', async (_, yaml, place, message) => {
    const { problems, answer, paste } = await editView(ctx, 'second', { yaml })
    expect(problems[0]).toMatchObject({ in: 'edit', ...place, message: expect.stringMatching(message) })
    expect({ answer, paste }).toEqual({})
  })

  test('in another entry of the file, where the edit breaks that', async () => {
    const { yaml } = await editView(ctx, 'first')
    const { problems } = await editView(ctx, 'first', { yaml: yaml.replace(' &words', '') })
    expect(problems[0]).toMatchObject({ in: 'file', file, message: expect.stringMatching(/alias/i) })
  })

  test.each([
    ['a bomb of aliases', `- id: second\n${bomb.replace(/^/gm, '  ')}`],
    ['a deep nest', `- ${'['.repeat(20_000)}`],
    ['a deep nest, closed', `- ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['a cycle', '- &a [*a]'],
    ['merge keys', `- &a {<<: *a, id: second}`],
    ['a key like a method', '- {__proto__: {id: second}, constructor: 1}'],
    ['no list', 'x'],
    ['another document', `${ENTRY}\n---\nsignatures: []`],
  ])('%s', async (_, yaml) => {
    const { problems } = await editView(ctx, 'second', { yaml })
    expect(problems.length).toBeGreaterThan(0)
  })
})

describe('limits', () => {
  test('on its length', async () => {
    const yaml = `${ENTRY}\n  # ${'é'.repeat(MAX_EDIT_BYTES / 2)}`
    expect(await editView(ctx, 'second', { yaml })).toMatchObject({ error: { code: 'EDIT_TOO_LARGE' } })
    const most = ENTRY.replace('second \\d', 'second x').padEnd(MAX_EDIT_BYTES, '\n#')
    expect((await editView(ctx, 'second', { yaml: most })).error).toBeUndefined()
  })

  test('on what is listed of its faults', async () => {
    const { problems, moreProblems } = await editView(ctx, 'second', { yaml: '- id: x\n'.repeat(60) })
    expect(problems).toHaveLength(50)
    expect(moreProblems).toBeGreaterThan(9)
  })

  test('on its regexes', async () => {
    const regexes = Array.from({ length: 201 }, (_, at) => `    - 'second ${at}'`).join('\n')
    const yaml = ENTRY.replace("    - 'second \\d'", regexes)
    expect(await editView(ctx, 'second', { yaml })).toMatchObject({ error: { code: 'EDIT_TOO_LARGE' } })
  })

  test('on the time of its samples', async () => {
    const yaml = `${ENTRY.replace('second \\d', '^(?:x+x+){17,40}y')}\n  samples: {no_match: [${'x'.repeat(60)}]}`
    const { error } = await editView(ctx, 'second', { yaml, deadlineMs: 2_000 })
    expect(error).toMatchObject({ code: 'SEARCH_DEADLINE', message: expect.stringMatching(/sample/) })
  })
})
