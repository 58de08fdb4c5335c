import { digestOf, idsOf } from '../evidence/identity.ts'
import type { Evidence } from '../model/evidence.ts'
import { type Fault, isRepairable, type Report } from '../store/embedded/verify/fault.ts'
import { repairDirectory } from '../store/embedded/verify/repair.ts'
import { type VerifyOptions, verifyDirectory } from '../store/embedded/verify/verify.ts'

/** Looks at all that a data directory holds; it only reads. Throws as verifyDirectory does. */
export async function verify(dataDir: string, onProgress?: VerifyOptions['onProgress']): Promise<Report> {
  return await verifyDirectory(dataDir, { evidenceFault, ...(onProgress && { onProgress }) })
}

/** Mends what a report tells of, and looks again. Throws DATA_DIR_LOCKED while a worker holds the directory. */
export async function repair(
  dataDir: string,
  { faults }: Report,
  { now, onProgress }: { readonly now: number; readonly onProgress?: VerifyOptions['onProgress'] },
): Promise<Report & { readonly repaired: number }> {
  const mendable = faults.filter((fault) => isRepairable(fault) && !fault.waiting)
  if (mendable.length > 0) await repairDirectory(dataDir, mendable, now)
  const after = await verify(dataDir, onProgress)
  const left = new Set(after.faults.map(nameOf))
  return { ...after, repaired: faults.filter((fault) => !left.has(nameOf(fault))).length }
}

function nameOf({ code, file, detail }: Fault): string {
  return JSON.stringify([code, file, detail])
}

function evidenceFault({ id, digest, content, range }: Evidence): string | undefined {
  if (digestOf(content, range) !== digest) return 'its content is not what was frozen'
  for (const own of idsOf(digest)) if (own === id) return undefined
  return 'its address is another’s'
}
