import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { ProwlError } from '#lib/errors.ts'
import type { Traffic } from '#lib/model/ingest-state.ts'
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
  #bytes = 0

  constructor(root: string, bucket: string, options: DirectoryOptions) {
    this.#root = root
    this.bucket = bucket
    this.#pageSize = options.pageSize ?? 10_000
    this.#onWarning = options.onWarning ?? (() => {})
  }

  async list(options: ListOptions): Promise<Listing> {
    options.signal?.throwIfAborted()
    const cut = options.prefix.lastIndexOf('/') + 1
    const found = await this.#entries(options.prefix.slice(0, cut), options)
    found.sort((a, b) => compareBytes(a.name, b.name))
    const page = found.slice(0, this.#pageSize)
    const files = page.flatMap(({ name, path }) => (path === undefined ? [] : infoOf(name, path)))
    const last = page.at(-1)
    return {
      objects: (await Promise.all(files)).filter((info) => info !== undefined),
      prefixes: page.flatMap(({ name, path }) => (path === undefined ? name : [])),
      ...(found.length > page.length && last !== undefined ? { nextPageToken: last.name } : {}),
    }
  }

  async stat(name: string): Promise<ObjectInfo | undefined> {
    const path = await this.#inside(name)
    return path === undefined ? undefined : await infoOf(name, path)
  }

  async *read(name: string, options: ReadOptions = {}): AsyncGenerator<Uint8Array> {
    yield* gunzipByContent(this.#stored(name, options), name)
  }

  traffic(): Traffic {
    return { requests: 0, retries: 0, throttled: 0, bytes: this.#bytes, failed: 0 }
  }

  async close(): Promise<void> {}

  async *#stored(name: string, options: ReadOptions): AsyncGenerator<Uint8Array> {
    const path = await this.#inside(name)
    if (path === undefined) throw missing(name)
    // Not blocking: a pipe would wait for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? missing(name) : unreadable(name, error)
    })
    try {
      const stats = await file.stat()
      if (!stats.isFile()) throw missing(name)
      const before = generation(stats)
      if (options.generation !== undefined && before !== options.generation) throw changed(name)
      for await (const chunk of chunksOf(file, stats.size, name, options.signal)) {
        this.#bytes += chunk.length
        yield chunk
      }
      if (generation(await file.stat()) !== before) throw changed(name)
    } finally {
      await file.close()
    }
  }

  /** What matches the prefix: directories with a `/` at their end, and what is below each of them without a delimiter. */
  async #entries(directory: string, options: ListOptions): Promise<Entry[]> {
    const real = await this.#inside(directory.slice(0, -1))
    const entries = real === undefined ? [] : await readdir(real, { withFileTypes: true }).catch(() => [])
    const found: Entry[] = []
    for (const entry of entries) {
      options.signal?.throwIfAborted()
      const name = `${directory}${entry.name}`
      const path = entry.isSymbolicLink() ? await this.#inside(name) : join(real ?? '', entry.name)
      if (path === undefined) continue
      const kind = kindOf(entry.isSymbolicLink() ? await stat(path) : entry)
      if (kind === 'directory' && options.delimiter === undefined && !entry.isSymbolicLink()) {
        if (mayHold(`${name}/`, options)) found.push(...(await this.#entries(`${name}/`, options)))
      } else if (kind === 'directory' && options.delimiter === '/') {
        if (matches(`${name}/`, options)) found.push({ name: `${name}/` })
      } else if (kind === 'file' && matches(name, options)) found.push({ name, path })
    }
    return found
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

/** A file with its real path, or a directory. */
interface Entry {
  readonly name: string
  readonly path?: string
}

async function infoOf(name: string, path: string): Promise<ObjectInfo | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ? { name, size: stats.size, generation: generation(stats) } : undefined
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): 'file' | 'directory' | undefined {
  if (entry.isFile()) return 'file'
  return entry.isDirectory() ? 'directory' : undefined
}

function matches(name: string, { prefix, startOffset, endOffset, pageToken }: ListOptions): boolean {
  return (
    name.startsWith(prefix) &&
    (startOffset === undefined || compareBytes(name, startOffset) >= 0 || isAbove(name, startOffset)) &&
    (endOffset === undefined || compareBytes(name, endOffset) < 0) &&
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

/** The first `size` bytes: what is written behind them meanwhile changes the generation. */
async function* chunksOf(file: FileHandle, size: number, name: string, signal?: AbortSignal) {
  for (let at = 0; at < size; ) {
    signal?.throwIfAborted()
    const length = Math.min(CHUNK, size - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length).catch((error: unknown) => {
      throw unreadable(name, error)
    })
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function missing(name: string): ProwlError {
  return new ProwlError('OBJECT_NOT_FOUND', `${name}: no such file`)
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
