import { parentPort, workerData } from 'node:worker_threads'
import { ProwlError } from '../../errors.ts'
import { type HereOptions, openHere } from '../open-here.ts'
import type { Store } from '../store.ts'
import { type Answer, type Call, encodeError } from './messages.ts'

/** The thread behind remote.ts: opens the store, then answers calls in the order in which they come. */
async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const answer = (message: Answer) => port.postMessage(message)
  let store: Store
  try {
    store = await openHere(workerData as HereOptions, (notice) => answer({ notice }))
  } catch (error) {
    answer({ id: 0, error: encodeError(error) })
    return
  }
  answer({ id: 0, value: undefined })
  port.on('message', async ({ id, method, args }: Call) => {
    try {
      const call = store[method] as (...args: readonly unknown[]) => Promise<unknown>
      answer({ id, value: await call.apply(store, [...args]) })
    } catch (error) {
      answer({ id, error: encodeError(error) })
    }
    if (method === 'close') port.close()
  })
}

if (!parentPort) throw new ProwlError('STORE_FAILED', 'this file is the thread of a store; call openStore')
await serve(parentPort)
