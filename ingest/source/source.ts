import type { Traffic } from '#lib/model/ingest-state.ts'

/** A bucket to read from: one port, a directory and Google Cloud Storage behind it, one contract suite on both. */
export interface Source {
  /** `gs://name`, or `dir://base name` of the directory: the `bucket` of every run read from it. */
  readonly bucket: string
  /** On this host: listing costs little and asks nobody. */
  readonly local: boolean
  /**
   * One page of names below `prefix`, in byte order. With `delimiter`, names are cut at the first one after the prefix
   * and returned once each in `prefixes`. Throws BUCKET_* errors.
   */
  list(options: ListOptions): Promise<Listing>
  /** Undefined when there is no such object. */
  stat(name: string): Promise<ObjectInfo | undefined>
  /**
   * The object's decoded bytes (gunzipped by content) as a stream of chunks, and nothing but whole objects: a cut,
   * stalled or corrupt transfer throws OBJECT_UNREADABLE after what came, a changed generation OBJECT_CHANGED,
   * a missing object OBJECT_NOT_FOUND. Where the stored bytes came whole but are no whole gzip, OBJECT_BROKEN comes after
   * the text that could be had.
   */
  read(name: string, options?: ReadOptions): AsyncIterable<Uint8Array>
  /** What reading cost so far, since opening: a copy. A directory asks nobody and counts bytes alone. */
  traffic(): Traffic
  close(): Promise<void>
}

export interface ListOptions {
  readonly prefix: string
  readonly delimiter?: '/'
  /** Names before this one are left out. */
  readonly startOffset?: string
  /** Names from this one on are left out. */
  readonly endOffset?: string
  readonly pageToken?: string
  readonly signal?: AbortSignal
}

export interface Listing {
  readonly objects: readonly ObjectInfo[]
  readonly prefixes: readonly string[]
  readonly nextPageToken?: string
}

export interface ObjectInfo {
  readonly name: string
  /** Stored size: of the compressed bytes, where the object is. */
  readonly size: number
  /** Changes whenever the content does. */
  readonly generation: string
  readonly contentEncoding?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export interface ReadOptions {
  /** Read this generation only. */
  readonly generation?: string
  readonly signal?: AbortSignal
}
