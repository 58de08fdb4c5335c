import { cadence } from '../incident/cadence.ts'
import type { Cadence, Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { ExposureHour, Store } from '../store/store.ts'

export interface SignatureData {
  readonly cadence: Cadence
  readonly exposure: readonly ExposureHour[]
}

/** A run's time is when it finished: the oldest began this long before at most. */
const LONGEST_RUN_MS = 2 * 24 * 3_600_000

/** A signature's exposure of runs from the `oldest` on up to `end` (epoch ms), and the cadence of its incidents over it. */
export async function signatureData(
  store: Pick<Store, 'exposure'>,
  signature: Signature,
  incidents: readonly Incident[],
  { oldest, end }: { readonly oldest: number; readonly end: number },
): Promise<SignatureData> {
  const exposure = await store.exposure(signature.id, oldest - LONGEST_RUN_MS, end)
  const { kind, windowMs, changes } = signature
  return { exposure, cadence: cadence({ kind, windowMs, changes, incidents, exposure, completeTo: end }) }
}
