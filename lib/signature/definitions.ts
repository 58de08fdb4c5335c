import { z } from 'zod'
import type { Store } from '../store/store.ts'

const KEY = 'signature-definitions'

/** By signature: which definition the stored hits are of, and since when (epoch ms) runs were looked at with it; 0: all. */
export const Definitions = z.record(z.string(), z.object({ definition: z.string(), since: z.number() }))
export type Definitions = z.infer<typeof Definitions>

/** Undefined where none were ever noted. */
export async function definitionsOf(store: Pick<Store, 'state'>): Promise<Definitions | undefined> {
  return Definitions.safeParse(await store.state(KEY)).data
}

export async function putDefinitions(store: Pick<Store, 'putState'>, definitions: Definitions): Promise<void> {
  await store.putState(KEY, definitions)
}
