import { expect, test } from 'vitest'
import type { Evidence } from '../../model/evidence.ts'
import { sampleEvidence } from '../../testing/evidence.ts'
import { putSample, SAMPLE_TIME } from '../../testing/records.ts'
import { all, type Given, HOUR, run } from './given.ts'

export function evidence(given: Given): void {
  test('what was frozen is kept as it was first, whatever is put under its id later', async () => {
    const { store } = given
    const first = sampleEvidence({ sentences: ['</script> \u{1f600} \u2028 ‮'], bugs: ['x', 'x'] })
    expect(await store.evidence(first.id)).toBeUndefined()
    expect(await store.putEvidence(first)).toEqual(first)
    const later = { ...first, frozenAt: first.frozenAt + HOUR, digest: 'other', signatures: ['s'] }
    expect(await store.putEvidence(later)).toEqual(first)
    expect(await store.evidence(first.id)).toEqual(first)
    expect((await store.listEvidence({ signature: 's' }, { limit: 9 })).items).toEqual([])
    expect((await store.status()).evidence).toBe(1)
  })

  test('the same put many times at once is kept once', async () => {
    const { store } = given
    const put = Array.from({ length: 8 }, (_, i) => sampleEvidence({ frozenAt: SAMPLE_TIME + i }))
    const kept = await Promise.all(put.map((each) => store.putEvidence(each)))
    const [one] = kept
    for (const each of kept) expect(each).toEqual(one)
    expect(await store.evidence('0123456789')).toEqual(one)
  })

  test('is listed the newest first, by signature, by bug and in pages', async () => {
    const { store } = given
    const make = (id: string, hours: number, signatures: string[], bugs: string[]): Evidence =>
      sampleEvidence({ id, frozenAt: SAMPLE_TIME + hours * HOUR, signatures, bugs })
    const put = [
      make('aaaaaaaaaa', 1, ['é', 's'], ['https://b.test/1', 'bz1']),
      make('bbbbbbbbbb', 2, ['s'], []),
      make('cccccccccc', 2, ['t'], ['bz1']),
    ]
    for (const each of put) await store.putEvidence(each)
    const ids = async (filter: Parameters<typeof store.listEvidence>[0], limit = 10) =>
      (await all((page) => store.listEvidence(filter, page), limit)).map(({ id }) => id[0]).join('')
    expect(await ids({})).toBe('bca')
    expect(await ids({}, 1)).toBe('bca')
    expect(await ids({ signature: 's' })).toBe('ba')
    expect(await ids({ signature: 'é', bug: 'bz1' })).toBe('a')
    expect(await ids({ bug: 'bz1' }, 1)).toBe('ca')
    expect(await ids({ bug: 'bz' })).toBe('')
  })

  test('outlives text and sweeps', async () => {
    const { store } = given
    await putSample(store, run)
    await store.putEvidence(sampleEvidence())
    await store.maintain({ expireBefore: '9999-12-31' })
    expect(await store.evidence('0123456789')).toEqual(sampleEvidence())
  })
}
