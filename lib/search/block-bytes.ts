import { isProwlError } from '../errors.ts'
import type { BlockRef } from '../model/block.ts'
import type { Store } from '../store/store.ts'
import type { BlockTask } from './tasks.ts'

let store: Promise<Store> | undefined

type Text = Uint8Array | 'expired' | 'damaged'

/** Bytes sent along, or read from the day files; a damaged block spoils only itself. */
export async function bytesOf({
  blocks,
  dataDir,
}: {
  blocks: readonly BlockTask[]
  dataDir?: string
}): Promise<Text[]> {
  if (dataDir === undefined) return blocks.map((block) => block.bytes ?? 'expired')
  const wanted = blocks.map((block) => block.ref)
  const opened = await openedStore(dataDir)
  try {
    return (await opened.read(wanted)).map((bytes) => bytes ?? 'expired')
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'STORE_CORRUPT') throw error
    return await Promise.all(wanted.map((ref) => readOne(opened, ref)))
  }
}

async function readOne(opened: Store, ref: BlockRef): Promise<Text> {
  try {
    return (await opened.read([ref]))[0] ?? 'expired'
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'STORE_CORRUPT') throw error
    return 'damaged'
  }
}

/** The store, read-only, opened at the first block; a failure is not kept. */
async function openedStore(dataDir: string): Promise<Store> {
  store ??= import('../store/open.ts').then(({ openStore }) => openStore({ dataDir, mode: 'read', thread: false }))
  try {
    return await store
  } catch (error) {
    store = undefined
    throw error
  }
}
