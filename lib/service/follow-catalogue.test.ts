import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followCatalogue } from './follow-catalogue.ts'

let dir: string
let now: number
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'catalogue-'))
  now = 0
})
afterEach(() => rm(dir, { recursive: true }))

function follow(): () => Promise<string[]> {
  const catalogue = followCatalogue([dir, join(dir, 'missing')], () => now)
  return async () => {
    const { signatures, problems } = await catalogue()
    return [...signatures.map(({ id }) => id), ...problems.map(({ line }) => `problem on line ${line}`)]
  }
}

const signature = (id: string) => `signatures:
  - id: ${id}
    title: A failure
    kind: per-run
    regexes: ['${id} failed']
    samples:
      match: ['${id} failed']
      no_match: ['${id} passed']
`

test('files are read again once they change, after 5 seconds at the earliest', async () => {
  const ids = follow()
  expect(await ids()).toEqual([])
  await writeFile(join(dir, 'a.yaml'), signature('one'))
  expect(await ids()).toEqual([])
  now = 5_000
  expect(await ids()).toEqual(['one'])
  await writeFile(join(dir, 'a.yaml'), signature('another'))
  now = 10_000
  expect(await ids()).toEqual(['another'])
  await rm(join(dir, 'a.yaml'))
  now = 15_000
  expect(await ids()).toEqual([])
})

test('a file that cannot be read right is a problem and no more', async () => {
  await writeFile(join(dir, 'a.yaml'), signature('one'))
  await writeFile(join(dir, 'b.yaml'), 'signatures: [')
  const [id, problem, ...more] = await follow()()
  expect([id, problem?.startsWith('problem on line'), more]).toEqual(['one', true, []])
})
