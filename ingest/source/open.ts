import { fileURLToPath } from 'node:url'
import { ProwlError } from '#lib/errors.ts'
import type { Auth } from './credentials.ts'
import { openDirectory } from './directory.ts'
import { openGcs } from './gcs.ts'
import type { Source } from './source.ts'

export interface SourceOptions {
  readonly gcsEndpoint?: string | undefined
  /** How a `gs://` bucket is read; anonymous where not given. */
  readonly auth?: Auth | undefined
  /** Of all transfers together; undefined: no cap. */
  readonly bandwidthBytesPerSecond?: number | undefined
  readonly onWarning?: (message: string) => void
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/

/** Opens a bucket by its name: `gs://name`, a directory's path, or `file:///path`. BUCKET_* or CONFIG_INVALID if it can't. */
export async function openSource(spec: string, options: SourceOptions = {}): Promise<Source> {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(spec)?.[1]?.toLowerCase()
  if (scheme === undefined) return await openDirectory(spec, options)
  if (scheme === 'file') return await openDirectory(filePath(spec), options)
  if (scheme !== 'gs') throw new ProwlError('CONFIG_INVALID', `${spec}: ${refusal(scheme)}`)
  const name = bucketName(spec)
  const { gcsEndpoint: endpoint, auth, bandwidthBytesPerSecond } = options
  return await openGcs(name, { endpoint, auth, bandwidthBytesPerSecond })
}

function refusal(scheme: string): string {
  if (!/^s3[an]?$/.test(scheme)) return `${scheme}:// buckets can't be read; give gs://name or a directory`
  return 'S3 buckets can’t be read; mirror it (rclone sync, or aws s3 sync) and give that directory'
}

function bucketName(spec: string): string {
  const path = spec.slice('gs://'.length)
  const [name = '', ...below] = path.split('/')
  if (!BUCKET_NAME.test(name))
    throw new ProwlError('CONFIG_INVALID', `${spec}: no bucket can have this name; give gs://name or a directory`)
  if (below.some((part) => part !== ''))
    throw new ProwlError('CONFIG_INVALID', `${spec}: give the bucket alone, gs://${name}`)
  return name
}

function filePath(spec: string): string {
  try {
    return fileURLToPath(spec)
  } catch (cause) {
    throw new ProwlError('CONFIG_INVALID', `${spec}: no local path; give file:///path or the path itself`, { cause })
  }
}
