import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import prettyBytes from 'pretty-bytes'

/** Of the raw bytes: the plain files and their gzip; then what the store may take. */
const RAW_SHARE = 1.35
const STORE_SHARE = 0.5

/** A folder for the corpus, gone at the end unless it was named. */
export function openFolder(dir: string | undefined): { readonly dir: string; readonly close: () => void } {
  if (dir !== undefined) {
    mkdirSync(dir, { recursive: true })
    return { dir, close: () => {} }
  }
  const temporary = mkdtempSync(join(tmpdir(), 'prowl-bench-'))
  return { dir: temporary, close: () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }) }
}

/** Throws, before anything is written, where the disk has too little room. `bytes` is of each day. */
export function checkRoom(dir: string, bytes: number, days: number): void {
  const { bavail, bsize } = statfsSync(dir)
  const needed = bytes * (RAW_SHARE + days * STORE_SHARE)
  if (bavail * bsize < needed)
    throw new Error(
      `${dir}: has ${prettyBytes(bavail * bsize)} free and the corpus needs about ${prettyBytes(needed)}; give a smaller --size, or --dir on a larger disk`,
    )
}

/** All bytes of the files below. */
export function sizeOf(dir: string): number {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
