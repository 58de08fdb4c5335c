import { expect, test } from 'vitest'
import { parseCatalogue } from '../signature/catalogue.ts'
import { createMatcher } from '../signature/run-matcher.ts'
import { createReferenceStore } from '../store/reference.ts'
import { storeRun } from '../testing/stored-run.ts'
import { DAY, makeRun } from '../testing/values.ts'
import { preview, withFile } from './preview.ts'

const NOW = Date.UTC(2026, 10, 3)
const file = (regex: string, id = 'boom') =>
  `signatures:\n  - {id: ${id}, title: T, kind: per-run, regexes: ['${regex}'], samples: {match: [], no_match: []}}\n`

/** Three runs: boom 0, boom 1, boom 2, each found by `boom [01]`. */
async function stored() {
  const store = createReferenceStore()
  const before = parseCatalogue([{ file: 'signatures/a.yaml', text: file('boom [01]') }])
  const matcher = createMatcher(before)
  for (let at = 0; at < 3; at++) {
    const run = makeRun({ path: `logs/e2e/${at}`, startedAt: NOW - (at + 1) * DAY, result: 'failure' })
    await storeRun(store, run, { 'build-log.txt': Buffer.from(`boom ${at}\n`) })
    const hits = at > 1 ? [] : await hitsOf(matcher, run, `boom ${at}`)
    await store.replaceFindings(
      ['boom'],
      [{ ...run, fingerprint: (await store.run(run))?.fingerprint ?? '', hits, tracks: [], exposures: [] }],
    )
  }
  return { store, before }
}

async function hitsOf(matcher: ReturnType<typeof createMatcher>, run: ReturnType<typeof makeRun>, text: string) {
  const matching = matcher.startRun(run)
  const log = matching.startLog({ name: 'build-log.txt', kind: 'build-log' })
  log.block({ firstLine: 1, lineCount: 1, bytes: Buffer.from(text), ascii: true })
  log.end()
  return matching.finish({ complete: true }).hits
}

test('an edit tells which runs it would gain and lose, and writes nothing', async () => {
  const { store, before } = await stored()
  const edited = { file: '/elsewhere/a.yaml', text: file('boom [12]') }
  const after = withFile([{ file: 'signatures/a.yaml', text: file('boom [01]') }], edited)
  expect(after.problems).toEqual([])
  const { previews, runs, expired } = await preview(store, before, after)
  expect({ runs, expired }).toEqual({ runs: 3, expired: 0 })
  expect(
    previews.map(({ signature, gained, lost, kept }) => ({
      signature,
      gained: gained.map(({ run, hits }) => [run.path, hits.map(({ text }) => text)]),
      lost: lost.map(({ run, hits }) => [run.path, hits.map(({ text }) => text)]),
      kept,
    })),
  ).toEqual([{ signature: 'boom', gained: [['logs/e2e/2', ['boom 2']]], lost: [['logs/e2e/0', ['boom 0']]], kept: 1 }])
  expect((await store.hits({ signature: 'boom' }, { limit: 9 })).items.map(({ text }) => text)).toEqual([
    'boom 0',
    'boom 1',
  ])
})

test('a new file stands beside the others; where no rule differs, nothing is looked at', async () => {
  const { store, before } = await stored()
  const files = [{ file: 'signatures/a.yaml', text: file('boom [01]') }]
  const after = withFile(files, { file: 'b.yaml', text: file('boom', 'other') })
  const { previews } = await preview(store, before, after)
  expect(previews).toMatchObject([{ signature: 'other', lost: [], kept: 0 }])
  expect(previews[0]?.gained).toHaveLength(3)
  const same = withFile(files, { file: 'a.yaml', text: file('boom [01]').replace('title: T', 'title: Other') })
  expect(await preview(store, before, same)).toEqual({ previews: [], runs: 0, expired: 0 })
})
