import type { RunKey } from './run.ts'

/** A run's place in the addresses of pages and API: `gs/<bucket>/<path>`, each segment escaped. */
export function formatRunPath({ bucket, path }: RunKey): string {
  const [scheme, name] = bucket.split('://')
  return [scheme ?? '', name ?? '', ...path.split('/')].map(encodeURIComponent).join('/')
}

/** The run that such a part of an address names (still escaped, slashes at its ends allowed); undefined for none. */
export function parseRunPath(text: string): RunKey | undefined {
  const segments = text.split('/').filter(Boolean).map(unescaped)
  const [scheme, name, ...path] = segments
  if (!scheme || !name || path.length === 0 || segments.includes(undefined)) return undefined
  return { bucket: `${scheme}://${name}`, path: path.join('/') }
}

/** The same of its parts, unescaped, as the API's addresses have them. */
export function runNamed({ scheme = '', bucket = '', path = '' }: Readonly<Record<string, string>>): RunKey {
  return { bucket: `${scheme}://${bucket}`, path: path.split('/').filter(Boolean).join('/') }
}

function unescaped(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** A bucket's name without its scheme. */
export function bucketName(bucket: string): string {
  return bucket.slice(bucket.indexOf('://') + 3)
}
