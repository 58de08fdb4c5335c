import { allPages } from '#lib/incident/runs.ts'
import type { Run } from '#lib/model/run.ts'
import { loadCatalogue } from '#lib/signature/catalogue.ts'
import type { Store } from '#lib/store/store.ts'

/** Everything that the store tells of a bucket, bytes of logs included, but for its name and ids that differ by nature. */
export async function catalogueOf(store: Store, bucket: string, signatureDirs: readonly string[]) {
  const told: unknown[] = []
  const runs: Run[] = []
  for await (const run of allPages((page) => store.runs({ bucket }, page), 500)) runs.push(run)
  for (const { path } of runs) {
    const stored = await store.run({ bucket, path })
    if (!stored) throw new Error(path)
    const { fingerprint: _f, firstSeen: _s, ...record } = stored
    const texts = await Promise.all(
      stored.logs.map(async ({ name }) => {
        const blocks = await store.blocks({ bucket, path }, name, 1, Number.MAX_SAFE_INTEGER)
        return (await store.read(blocks.map((block) => block.ref))).map((bytes) =>
          Buffer.from(bytes ?? []).toString('latin1'),
        )
      }),
    )
    told.push({ record, texts })
  }
  for (const { id } of (await loadCatalogue(signatureDirs)).signatures) {
    const incidents = (await store.incidents({ signature: id })).map(({ id: _id, ...incident }) => incident)
    told.push({ id, incidents, exposure: await store.exposure(id, 0, Date.now()) })
  }
  return { runs, told: JSON.parse(JSON.stringify(told).replaceAll(bucket, 'bucket')) as unknown[] }
}
