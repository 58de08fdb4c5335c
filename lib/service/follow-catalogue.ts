import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Catalogue, loadCatalogue } from '../signature/catalogue.ts'

const CHECK_EVERY_MS = 5_000

/** The catalogue of these directories, read again when a file was changed, added or removed; looked at every 5 s at most. */
export function followCatalogue(dirs: readonly string[], now: () => number = Date.now): () => Promise<Catalogue> {
  let loaded: { readonly stamp: string; readonly catalogue: Catalogue } | undefined
  let checking: Promise<Catalogue> | undefined
  let nextCheck = 0
  const check = async () => {
    const stamp = await stampOf(dirs)
    if (loaded?.stamp !== stamp) loaded = { stamp, catalogue: await loadCatalogue(dirs) }
    nextCheck = now() + CHECK_EVERY_MS
    return loaded.catalogue
  }
  return async () => {
    if (loaded && now() < nextCheck) return loaded.catalogue
    checking ??= check().finally(() => {
      checking = undefined
    })
    return await checking
  }
}

/** Names, times and sizes of all files: equal means that none was touched. */
async function stampOf(dirs: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    dirs.map(async (dir) => {
      const names = await readdir(dir).catch(() => [])
      return await Promise.all(
        names.sort().map(async (name) => {
          const info = await stat(join(dir, name)).catch(() => undefined)
          return `${join(dir, name)} ${info?.mtimeMs} ${info?.size}`
        }),
      )
    }),
  )
  return stamps.flat().join('\n')
}
