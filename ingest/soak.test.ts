import { expect, it } from 'vitest'
import { fakeGcsBinary } from '#lib/testing/fake-gcs.ts'
import { soak } from './testing/soak.ts'

const binary = fakeGcsBinary()

it.skipIf(binary === undefined)(
  'a bucket that grows is read whole through random faults, whatever was pending or uploaded twice',
  async () => {
    const report = await soak(binary ?? '', {
      seed: 7,
      share: 0.15,
      runs: 25,
      everyMs: 300,
      hangs: false,
      env: process.env,
    })
    expect(report).toMatchObject({ same: true, runs: 25 })
    // Storms are longer than one wait: the status tells of them, and of what was tried again.
    expect(report.traffic?.throttled).toBeGreaterThan(0)
    expect(report.traffic?.retries).toBeGreaterThan(0)
    expect(report.faults.none).toBe(3)
    expect(Object.keys(report.faults).length).toBeGreaterThan(3)
  },
  60_000,
)
