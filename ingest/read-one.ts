import { isProwlError, ProwlError } from '#lib/errors.ts'
import { refreshIncidents } from '#lib/incident/refresh.ts'
import type { StoredRun } from '#lib/store/store.ts'
import { resolveRun, type Wanted } from './discover/resolve.ts'
import { lookAt } from './read/look.ts'
import { readingOf, type Worker } from './worker.ts'
import { writeRun } from './write-run.ts'

/** Reads one run now, whether or not the jobs and times that are followed hold it; what the store then has of it. Throws NOT_FOUND, OBJECT_* and BUCKET_*. */
export async function readOne(worker: Worker, wanted: Wanted): Promise<StoredRun> {
  const { source, store, hooks } = worker
  const { bucket } = source
  const catalogue = await worker.catalogue()
  const reading = readingOf(worker, catalogue)
  const path = await resolveRun(source, wanted, hooks.abort)
  const key = { bucket, path: path.path }
  const [stamp] = await store.stamps(bucket, [path.path])
  try {
    const look = await lookAt(path, bucket, stamp, reading)
    if (look) await writeRun(look, { ...reading, onBytes: () => {} })
  } catch (error) {
    if (isProwlError(error) && error.code.startsWith('OBJECT_'))
      await store.fail({ ...key, code: error.code, message: error.message, at: reading.now() })
    throw error
  }
  await refreshIncidents(store, catalogue)
  const stored = await store.run(key)
  if (!stored) throw new ProwlError('NOT_FOUND', `${path.path}: was deleted while it was read; try again`)
  return stored
}
