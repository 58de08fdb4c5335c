import { describe, expect, it } from 'vitest'
import { refreshIncidents } from '#lib/incident/refresh.ts'
import { ReevaluationState } from '#lib/model/ingest-state.ts'
import { parseCatalogue } from '#lib/signature/catalogue.ts'
import { definitionsOf } from '#lib/signature/definitions.ts'
import { openStore } from '#lib/store/open.ts'
import { createReferenceStore } from '#lib/store/reference.ts'
import type { Store } from '#lib/store/store.ts'
import { storeRun } from '#lib/testing/stored-run.ts'
import { DAY, makeRun } from '#lib/testing/values.ts'
import { reevaluate } from './reevaluate.ts'
import { temporaryDirectory } from './testing/bucket.ts'

const NOW = Date.UTC(2026, 10, 3)

const signature = (id: string, regex: string, more = '') => `
  - id: ${id}
    title: ${id}
    kind: per-run
    regexes: ['${regex}']
    samples: { match: [], no_match: [] }
${more}`
const catalogueOf = (...signatures: string[]) =>
  parseCatalogue([{ file: 'a.yaml', text: `signatures:${signatures.join('')}` }])

/** Runs whose logs are matched as the worker would have when it read them. */
async function storeOf(catalogue: ReturnType<typeof catalogueOf>, count = 3, store = createReferenceStore()) {
  for (let at = 0; at < count; at++) {
    const run = makeRun({ path: `logs/e2e/${at + 1}`, startedAt: NOW - (at + 1) * DAY, result: 'failure' })
    await storeRun(store, run, { 'build-log.txt': Buffer.from(`one\nboom ${at}\nbang\n`) })
  }
  await reevaluate({ store, catalogue, now: () => NOW })
  return store
}

const hitsOf = async (store: Store, id: string) =>
  (await store.hits({ signature: id }, { limit: 99 })).items.map(({ path, line, definition }) => ({
    path,
    line,
    definition,
  }))

describe('signatures that were edited', () => {
  it('are the same afterwards as if they had been so when the runs were read', async () => {
    const edited = catalogueOf(signature('boom', 'bang'), signature('new', 'boom [01]'))
    const store = await storeOf(catalogueOf(signature('boom', 'boom')))
    expect(await hitsOf(store, 'boom')).toHaveLength(3)
    expect(await reevaluate({ store, catalogue: edited, now: () => NOW })).toBe(true)
    const fresh = await storeOf(edited)
    for (const id of ['boom', 'new']) {
      expect(await hitsOf(store, id)).toEqual(await hitsOf(fresh, id))
      expect(await store.exposure(id, 0, NOW)).toEqual(await fresh.exposure(id, 0, NOW))
      const incidents = async (of: Store) => (await of.incidents({ signature: id })).map(({ id: _, ...each }) => each)
      await refreshIncidents(fresh, edited)
      expect(await incidents(store)).toEqual(await incidents(fresh))
    }
    expect((await hitsOf(store, 'boom')).map(({ line }) => line)).toEqual([3, 3, 3])
    expect(await hitsOf(store, 'new')).toHaveLength(2)
  })

  it('leave the others alone, but for those that yield to them', async () => {
    const other = signature('other', 'one')
    const yielding = signature('yielding', 'boom', '    yields_to: [boom]\n')
    const store = await storeOf(catalogueOf(signature('boom', 'boom 1'), other, yielding))
    expect((await hitsOf(store, 'yielding')).map(({ path }) => path)).toEqual(['logs/e2e/1', 'logs/e2e/3'])
    const replaced: string[][] = []
    const replace = store.replaceFindings.bind(store)
    store.replaceFindings = async (ids, runs) => {
      replaced.push([...ids].sort())
      return await replace(ids, runs)
    }
    const edited = catalogueOf(signature('boom', 'boom [12]'), other, yielding)
    await reevaluate({ store, catalogue: edited, now: () => NOW })
    expect(replaced).toEqual([['boom', 'yielding']])
    expect((await hitsOf(store, 'yielding')).map(({ path }) => path)).toEqual(['logs/e2e/1'])
    expect(await hitsOf(store, 'other')).toHaveLength(3)
    await reevaluate({ store, catalogue: edited, now: () => NOW })
    expect(replaced).toHaveLength(1)
  })

  it('keep the hits of runs whose text is gone, which count as watched no more', async () => {
    const store = await storeOf(catalogueOf(signature('boom', 'boom')))
    await store.maintain({ expireBefore: new Date(NOW - 2 * DAY).toISOString().slice(0, 10) })
    const edited = catalogueOf(signature('boom', 'bang'))
    await reevaluate({ store, catalogue: edited, now: () => NOW })
    expect((await hitsOf(store, 'boom')).map(({ path, line }) => [path, line])).toEqual([
      ['logs/e2e/1', 3],
      ['logs/e2e/2', 3],
      ['logs/e2e/3', 2],
    ])
    const oldest = (await store.run({ bucket: 'gs://ci', path: 'logs/e2e/2' }))?.run.time
    expect((await definitionsOf(store))?.boom).toEqual({ definition: edited.signatures[0]?.definition, since: oldest })
    expect((await store.exposure('boom', 0, NOW))[0]?.hour).toBeGreaterThan(NOW - 2.1 * DAY)
  })

  it('are gone on with where they were stopped, and begun anew at another edit', async () => {
    const store = await storeOf(catalogueOf(signature('boom', 'boom')), 120)
    const edited = catalogueOf(signature('boom', 'bang'))
    const stop = AbortSignal.abort()
    expect(await reevaluate({ store, catalogue: edited, now: () => NOW, stop })).toBe(false)
    expect(ReevaluationState.parse(await store.state('reevaluation'))).toMatchObject({ done: 50, total: 120 })
    const told: number[] = []
    const onProgress = ({ done }: { done: number }) => told.push(done)
    expect(await reevaluate({ store, catalogue: edited, now: () => NOW, stop, onProgress })).toBe(false)
    expect(told).toEqual([100])
    const again = catalogueOf(signature('boom', 'one'))
    expect(await reevaluate({ store, catalogue: again, now: () => NOW, onProgress })).toBe(true)
    expect(told).toEqual([100, 50, 100, 120])
    expect((await hitsOf(store, 'boom')).map(({ line }) => line).every((line) => line === 1)).toBe(true)
  })

  it('are found through the index, in JSON records too', async () => {
    const dataDir = temporaryDirectory()
    const store = await storeOf(catalogueOf(signature('boom', 'boom')), 3, await openStore({ dataDir, mode: 'write' }))
    const run = makeRun({ path: 'logs/e2e/json', startedAt: NOW - 9 * DAY, result: 'failure' })
    const record = JSON.stringify({ level: 'error', msg: 'this & that broke' }).replace('&', '\\u0026')
    await storeRun(store, run, { 'build-log.txt': Buffer.from(`${record}\n`) })
    await store.maintain()
    expect((await store.status()).index).toMatchObject({ blocks: 4, indexed: 4 })
    const read: string[] = []
    const blocks = store.blocks.bind(store)
    store.blocks = async (key, ...rest) => {
      read.push(key.path)
      return await blocks(key, ...rest)
    }
    await reevaluate({ store, catalogue: catalogueOf(signature('boom', 'this & that')), now: () => NOW })
    expect(await hitsOf(store, 'boom')).toMatchObject([{ path: 'logs/e2e/json', line: 1 }])
    expect(read).toEqual(['logs/e2e/json'])
    await store.close()
  })

  it('cost nothing in a store without runs, nor where nothing was edited', async () => {
    const store = createReferenceStore()
    const catalogue = catalogueOf(signature('boom', 'boom'))
    expect(await reevaluate({ store, catalogue, now: () => NOW })).toBe(true)
    expect(await store.state('reevaluation')).toBeUndefined()
    expect((await definitionsOf(store))?.boom?.since).toBe(0)
  })
})
