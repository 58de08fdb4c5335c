import { expect, test } from 'vitest'
import { blocksOf, putSample, SAMPLE_TIME, sampleHit, sampleRun } from '../../testing/records.ts'
import type { Store } from '../store.ts'
import { all, type Given } from './given.ts'

export function filters(given: Given): void {
  test('hold together, `from` inclusive and `to` exclusive, and an empty list matches nothing', async () => {
    const { store } = given
    const refs = { org: 'o', repo: 'r', pulls: [{ number: 7 }, { number: 8 }] }
    const runs = [
      sampleRun({ path: 'pr-logs/pull/o_r/7/pull-e2e/3', type: 'presubmit', result: 'success', refs }),
      sampleRun({ path: 'logs/periodic-e2e/2', time: SAMPLE_TIME - 1 }),
      sampleRun({ bucket: 'gs://other', path: 'logs/periodic-e2e/1', time: SAMPLE_TIME - 2, result: 'aborted' }),
    ]
    for (const each of runs) {
      const texts = { 'build-log.txt': blocksOf(['x']), 'artifacts/lease.log': blocksOf(['y']) }
      await putSample(store, each, texts, { hits: [sampleHit(each)] })
    }
    const table: [Parameters<Store['runs']>[0], number[]][] = [
      [{}, [0, 1, 2]],
      [{ from: SAMPLE_TIME - 1, to: SAMPLE_TIME }, [1]],
      [{ bucket: 'gs://other' }, [2]],
      [{ jobs: ['periodic-e2e'] }, [1, 2]],
      [{ jobs: ['periodic-e2e', 'pull-e2e', 'none'] }, [0, 1, 2]],
      [{ jobs: [] }, []],
      [{ results: ['success', 'aborted'] }, [0, 2]],
      [{ results: [] }, []],
      [{ types: ['presubmit'] }, [0]],
      [{ types: [] }, []],
      [{ buildId: '2' }, [1]],
      [{ pull: { org: 'o', repo: 'r', number: 8 } }, [0]],
      [{ pull: { org: 'o', repo: 'x', number: 8 } }, []],
      [{ jobs: ['periodic-e2e'], results: ['failure'], to: SAMPLE_TIME }, [1]],
    ]
    for (const [filter, expected] of table) {
      const found = await all((page) => store.runs(filter, page), 10)
      expect(found.map((each) => each.path)).toEqual(expected.map((i) => runs[i]?.path))
      expect(await all((page) => store.candidates(filter, page), 10)).toHaveLength(2 * expected.length)
      expect(await all((page) => store.hits(filter, page), 10)).toHaveLength(expected.length)
      expect(await store.countRuns(filter)).toBe(expected.length)
      const counted = (await store.rollups(filter)).filter(({ kind }) => kind === 'any')
      expect(counted.reduce((sum, row) => sum + row.runs, 0)).toBe(expected.length)
    }
    const kinds = async (filter: Parameters<Store['candidates']>[0]) =>
      (await all((page) => store.candidates(filter, page), 10)).map(({ log }) => log)
    expect(await kinds({ kinds: ['container-log'], buildId: '2' })).toEqual(['artifacts/lease.log'])
    expect(await kinds({ kinds: [] })).toEqual([])
    expect(await store.jobs()).toEqual(['periodic-e2e', 'pull-e2e'])
  })
}
