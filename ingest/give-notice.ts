import { takeNotice } from '#lib/service/notices.ts'
import type { Catalogue } from '#lib/signature/catalogue.ts'
import { postNotices } from './webhook.ts'
import type { Worker } from './worker.ts'

/** After a whole pass: notes what changed, and tells the webhook, if there is one. What it does not take is no fault of the pass. */
export async function giveNotice({ store, options, hooks }: Worker, catalogue: Catalogue): Promise<void> {
  const { webhook, publicUrl } = options
  await takeNotice({ store, catalogue: async () => catalogue, now: Date.now }, { posted: webhook !== undefined })
  if (webhook === undefined) return
  const signal = AbortSignal.any([hooks.stop, hooks.abort].filter((each) => each !== undefined))
  await postNotices(store, { webhook, publicUrl, signal, onWarning: hooks.onWarning, now: Date.now })
}
