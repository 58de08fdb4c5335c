import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyOf, mutated, outcomeOf, tried } from './mutations/mutant.ts'
import { MUTATIONS, type Mutation } from './mutations/table.ts'

// npm run mutations takes a minute; what would make it fail whatever the tests say is seen here.
test.each(MUTATIONS)('the code still has the place that breaks: $invariant', (mutation) => {
  const content = readFileSync(mutation.file, 'utf8')
  expect(mutated(content, mutation)).not.toBe(content)
  expect(existsSync(mutation.test)).toBe(true)
})

test('there are twelve, each of its own, and the docs name each', () => {
  const names = MUTATIONS.map(({ invariant }) => invariant)
  expect(new Set(names).size).toBe(12)
  const docs = readFileSync('docs/reliability.md', 'utf8')
  expect(names.filter((name) => !docs.includes(name))).toEqual([])
})

describe('a mutation', () => {
  const root = mkdtempSync(join(tmpdir(), 'prowl-mutant-'))
  let copy = ''
  const given: Mutation = {
    invariant: 'two is two',
    file: 'lib/two.ts',
    text: 'two = 2',
    replacement: 'two = 3',
    test: 'lib/two.test.ts',
  }
  beforeAll(() => {
    mkdirSync(join(root, 'lib'))
    writeFileSync(join(root, 'lib/two.ts'), 'export const two = 2\nexport const three = 3\n')
    const code = "import { expect, test } from 'vitest'\nimport { two } from './two.ts'\n"
    writeFileSync(join(root, 'lib/two.test.ts'), `${code}test('two', () => expect(two).toBe(2))\n`)
    writeFileSync(join(root, 'package.json'), '{"type":"module"}')
    copy = copyOf(process.cwd(), [])
    for (const name of ['lib/two.ts', 'lib/two.test.ts', 'package.json']) {
      mkdirSync(join(copy, 'lib'), { recursive: true })
      writeFileSync(join(copy, name), readFileSync(join(root, name)))
    }
  })
  afterAll(() => {
    for (const dir of [root, copy]) rmSync(dir, { recursive: true, force: true })
  })

  test('is noticed by a test that is red, which is named', async () => {
    expect(await tried(copy, given)).toEqual({ what: 'red', tests: ['two'] })
    expect(readFileSync(join(copy, 'lib/two.ts'), 'utf8')).toContain('two = 2')
    expect(await outcomeOf(copy, [given.test])).toEqual({ what: 'green' })
  })

  test('is missed where all stays green', async () => {
    expect(await tried(copy, { ...given, text: 'three = 3', replacement: 'three = 4' })).toEqual({ what: 'green' })
  })

  test.each<[string, Partial<Mutation>, RegExp]>([
    ['the text is gone', { text: 'four' }, /0 times/],
    ['the text is there twice', { text: 'export' }, /2 times/],
    ['the code can not be loaded', { replacement: '= =' }, /./],
    ['the test is gone', { test: 'lib/four.test.ts' }, /no test ran|no report/],
  ])('proves nothing where %s', async (_, change, why) => {
    expect(await tried(copy, { ...given, ...change })).toEqual({ what: 'broken', why: expect.stringMatching(why) })
  })
})
