import type { Stats } from 'node:fs'
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { ProwlError } from '#lib/errors.ts'
import { compareBytes } from '#lib/store/order.ts'
import { gunzipByContent } from './gunzip.ts'
import type { Listing, ListOptions, ObjectInfo, ReadOptions, Source } from './source.ts'

export interface DirectoryOptions {
  /** Told of entries that are left out, such as links that lead out of the directory. */
  readonly onWarning?: (message: string) => void
  /** Names a page, objects and prefixes together. */
  readonly pageSize?: number
}

const CHUNK = 64 * 1024

/**
 * A bucket that is a directory of the same shape. An object's generation is its modification time and size: both
 * survive a copy that keeps times (`cp -a`, `rsync -t`), so that a moved bucket is not read again.
 */
export async function openDirectory(path: string, options: DirectoryOptions = {}): Promise<Source> {
  const given = resolve(path)
  const root = await realpath(given).catch((error: NodeJS.ErrnoException) => {
    throw rootError(path, error)
  })
  if (!(await stat(root)).isDirectory()) throw rootError(path, { code: 'ENOTDIR' })
  await readdir(root).catch((error: NodeJS.ErrnoException) => {
    throw rootError(path, error)
  })
  return new Directory(root, `dir://${basename(given) || 'root'}`, options)
}

class Directory implements Source {
  readonly bucket: string
  readonly local = true
  readonly #root: string
  readonly #pageSize: number
  readonly #warned = new Set<string>()
  readonly #onWarning: (message: string) => void

  constructor(root: string, bucket: string, options: DirectoryOptions) {
    this.#root = root
    this.bucket = bucket
    this.#pageSize = options.pageSize ?? 10_000
    this.#onWarning = options.onWarning ?? (() => {})
  }

  async list(options: ListOptions): Promise<Listing> {
    options.signal?.throwIfAborted()
    const cut = options.prefix.lastIndexOf('/') + 1
    const names = await this.#names(options.prefix.slice(0, cut), options)
    names.sort(compareBytes)
    const page = names.slice(0, this.#pageSize)
    const objects = await Promise.all(page.filter((name) => !name.endsWith('/')).map((name) => this.stat(name)))
    const last = page.at(-1)
    return {
      objects: objects.filter((info) => info !== undefined),
      prefixes: page.filter((name) => name.endsWith('/')),
      ...(names.length > page.length && last !== undefined ? { nextPageToken: last } : {}),
    }
  }

  async stat(name: string): Promise<ObjectInfo | undefined> {
    const path = await this.#inside(name)
    const stats = path === undefined ? undefined : await stat(path).catch(() => undefined)
    return stats?.isFile() ? { name, size: stats.size, generation: generation(stats) } : undefined
  }

  async *read(name: string, options: ReadOptions = {}): AsyncGenerator<Uint8Array> {
    yield* gunzipByContent(this.#stored(name, options), name)
  }

  async close(): Promise<void> {}

  async *#stored(name: string, options: ReadOptions): AsyncGenerator<Uint8Array> {
    const path = await this.#inside(name)
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined)
    // Looked at before it is opened: opening a pipe would wait for its writer.
    if (path === undefined || !found?.isFile()) throw new ProwlError('OBJECT_NOT_FOUND', `${name}: no such file`)
    const file = await open(path, 'r').catch((error: unknown) => {
      throw unreadable(name, error)
    })
    try {
      const before = generation(await file.stat())
      if (options.generation !== undefined && before !== options.generation) throw changed(name)
      yield* chunksOf(file, name, options.signal)
      if (generation(await file.stat()) !== before) throw changed(name)
    } finally {
      await file.close()
    }
  }

  /** Names that match the prefix, directories with a `/` at their end; below each directory too without a delimiter. */
  async #names(directory: string, options: ListOptions): Promise<string[]> {
    const path = await this.#inside(directory.slice(0, -1))
    const entries = path === undefined ? [] : await readdir(path, { withFileTypes: true }).catch(() => [])
    const found: string[] = []
    for (const entry of entries) {
      options.signal?.throwIfAborted()
      const name = `${directory}${entry.name}`
      const kind = entry.isSymbolicLink() ? await this.#linkKind(name) : kindOf(entry)
      if (kind === 'directory' && options.delimiter === undefined && !entry.isSymbolicLink()) {
        if (mayHold(`${name}/`, options)) found.push(...(await this.#names(`${name}/`, options)))
      } else if (kind === 'directory' && options.delimiter === '/') {
        if (matches(`${name}/`, options)) found.push(`${name}/`)
      } else if (kind === 'file' && matches(name, options)) found.push(name)
    }
    return found
  }

  async #linkKind(name: string): Promise<'file' | 'directory' | undefined> {
    const path = await this.#inside(name)
    const stats = path === undefined ? undefined : await stat(path).catch(() => undefined)
    return stats && kindOf(stats)
  }

  /** The real path of a name; undefined where there is none, or it lies outside of the root. */
  async #inside(name: string): Promise<string | undefined> {
    if (name === '') return this.#root
    if (name.includes('\0') || name.split('/').some((part) => part === '' || part === '.' || part === '..')) return
    const real = await realpath(join(this.#root, name)).catch(() => undefined)
    if (real === undefined || real.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)) return real
    if (!this.#warned.has(name)) this.#onWarning(`${name}: left out, it links to a place outside of the bucket`)
    this.#warned.add(name)
    return undefined
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): 'file' | 'directory' | undefined {
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'directory' : undefined
}

function matches(name: string, { prefix, startOffset, pageToken }: ListOptions): boolean {
  return (
    name.startsWith(prefix) &&
    (startOffset === undefined || compareBytes(name, startOffset) >= 0 || isAbove(name, startOffset)) &&
    (pageToken === undefined || compareBytes(name, pageToken) > 0)
  )
}

/** A directory that sorts before the offset still holds names after it. */
function isAbove(name: string, offset: string): boolean {
  return name.endsWith('/') && offset.startsWith(name)
}

function mayHold(directory: string, { prefix }: ListOptions): boolean {
  return directory.startsWith(prefix) || prefix.startsWith(directory)
}

function generation(stats: Stats): string {
  return `${Math.round(stats.mtimeMs * 1000)}-${stats.size}`
}

async function* chunksOf(file: FileHandle, name: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal?.throwIfAborted()
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK).catch((error: unknown) => {
      throw unreadable(name, error)
    })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

function changed(name: string): ProwlError {
  return new ProwlError('OBJECT_CHANGED', `${name}: changed while it was read; it is read again in the next pass`)
}

function unreadable(name: string, cause: unknown): ProwlError {
  return new ProwlError('OBJECT_UNREADABLE', `${name}: ${(cause as Error).message}`, { cause })
}

function rootError(path: string, error: { code?: string | undefined; message?: string }): ProwlError {
  const options = { cause: error }
  if (error.code === 'ENOENT')
    return new ProwlError('BUCKET_NOT_FOUND', `${path}: no such directory; give gs://name or a directory`, options)
  if (error.code === 'ENOTDIR')
    return new ProwlError(
      'BUCKET_NOT_DIRECTORY',
      `${path}: is not a directory; give the directory that holds logs/`,
      options,
    )
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return new ProwlError(
      'BUCKET_DENIED',
      `${path}: may not be read by this user; allow it to read and enter it`,
      options,
    )
  return new ProwlError('BUCKET_UNREACHABLE', `${path}: ${error.message ?? 'cannot be read'}`, options)
}
