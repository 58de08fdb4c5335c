import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { blocksOf, putSample, SAMPLE_TIME, sampleHit, sampleRun } from './records.ts'

const HOUR = 3_600_000
const RUNS = 12

/**
 * Fills a store with a little of everything that its first layout knew, always the same. Run in the tree of a commit,
 * `node lib/testing/layout-driver.ts DIR` makes the fixture of that commit's layout (lib/store/embedded/fixtures).
 */
export async function fillSample(store: Store): Promise<void> {
  for (let i = 0; i < RUNS; i++) {
    const refs = { org: 'o', repo: 'r', baseRef: 'main', pulls: [{ number: 7 }] }
    const run = sampleRun({
      path: `logs/job-${i % 3}/${i}`,
      time: SAMPLE_TIME + i * 5 * HOUR,
      result: i % 4 === 0 ? 'success' : 'failure',
      ...(i % 2 === 0 ? { refs } : {}),
    })
    const lines = Array.from(
      { length: 60 },
      (_, n) => `step ${n} of run ${i}: ${n % 7 === 0 ? 'lost its lease' : 'ok'}`,
    )
    const texts = { 'build-log.txt': blocksOf(lines, 10), 'artifacts/lease.log': blocksOf(['é', 'EOF'], 1) } as const
    const exposures = [{ signature: 's', from: run.time - 3 * HOUR, to: run.time }]
    const key = { bucket: run.bucket, path: run.path }
    const tracks = [{ ...key, signature: 's', resource: 'aws-1', log: 'build-log.txt', marks: [] }]
    const found = i % 3 === 0 ? { hits: [sampleHit(run, { signature: 's' })], tracks } : {}
    await putSample(store, run, texts, { exposures, ...found })
  }
  await store.fail({ bucket: 'gs://sample', path: 'logs/job-0/99', code: 'X', message: 'cut', at: SAMPLE_TIME })
  await store.putState('key', { at: SAMPLE_TIME })
  // Layout 1 has none.
  const evidence = await import('./evidence.ts').catch(() => undefined)
  if (evidence) await store.putEvidence(evidence.sampleEvidence())
  await store.maintain()
}

const [, script, dataDir] = process.argv
if (script?.endsWith('layout-driver.ts') && dataDir !== undefined) {
  const store = await openStore({ dataDir, mode: 'write' })
  await fillSample(store)
  await store.close()
}
