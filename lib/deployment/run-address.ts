import { parseRunPath } from '../model/run-path.ts'
import type { LinkAnchor } from './links.ts'

/** What an address of Spyglass, gcsweb or a bucket names: `bucket` without scheme, the line where it gives one. */
export interface RunAddress {
  readonly bucket: string
  readonly path: string
  readonly anchor?: LinkAnchor
  /** The file that it leads to, below the run; absent for the run itself and for folders. */
  readonly file?: string
}

// The forms that Deck, gcsweb, Gubernator, Google's consoles and gsutil have had: with a provider or without, doubled
// slashes, a slash at the end.
const FORMS: readonly RegExp[] = [
  /^https?:\/\/[^/]+\/+view\/+(?:(?:gs|gcs|s3)\/+)?(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/[^/]+\/+(?:gcs|s3)\/+(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/[^/]*(?:gubernator|appspot)[^/]*\/+build\/+(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/storage\.googleapis\.com\/(?:download\/)?storage\/v1\/b\/(?<bucket>[\w.-]+)\/o\/(?<path>(?:logs|pr-logs)(?:\/|%2F).+)$/i,
  /^https?:\/\/storage\.(?:googleapis|cloud\.google)\.com\/+(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/(?<bucket>[\w.-]+)\.storage\.googleapis\.com\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/console\.(?:cloud|developers)\.google\.com\/storage\/(?:browser\/)?(?:_details\/)?(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^(?:gs|s3|dir):\/\/(?<bucket>[\w.-]+)\/(?<path>(?:logs|pr-logs)\/.+)$/,
]
// Up to the build id, a number: what follows is a file of the run. Some templates of addresses put the repository before
// a job that lies without it.
const RUN = /^logs\/[^/]+(?:\/[^/]+)??\/\d{1,20}(?=\/|$)/

/** No address is longer; a pattern may be, and is not looked at. */
const LONGEST = 2048

/**
 * An address as people paste it: without the brackets, quotes and full stop round it, and with the scheme that browsers
 * hide. Anything else as it is, but for spaces at its ends.
 */
export function pastedAddress(text: string): string {
  const bare = text.trim()
  if (bare.length > LONGEST) return bare
  const inner = /^[<("'`[]*((?:https?|gs|s3|dir):\/\/\S*?)[>)"'`\].,;]*$/.exec(bare)?.[1]
  if (inner !== undefined) return inner
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/+(?:view|gcs|s3|build|runs|pr-history|job-history|log\?)/.test(bare)
    ? `https://${bare}`
    : bare
}

/** The run that an address names; undefined for what is no such address. */
export function parseRunAddress(text: string): RunAddress | undefined {
  const [address = '', fragment = ''] = pastedAddress(text).split('#', 2)
  const [bare = ''] = address.split('?', 1)
  // Google's console says after a semicolon which of its tabs is open.
  const place = placeAt(bare.replace(/;tab=[\w.]*$/, ''))
  if (!place) return ownAddress(address)
  const run = lastRun(place.path)
  if (!run) return undefined
  const file = place.path.slice(run.length + 1)
  const path = /^(pr-logs\/directory\/.*\/\d+)\.txt$/.exec(run)?.[1] ?? run
  return { bucket: place.bucket, path, ...anchorOf(fragment), ...(file && !file.endsWith('/') && { file }) }
}

/** What lies at an address of a bucket or of what shows it: the bucket's name without scheme, the object or folder. */
export function placeAt(bare: string): { readonly bucket: string; readonly path: string } | undefined {
  for (const form of FORMS) {
    const { bucket, path } = form.exec(bare)?.groups ?? {}
    if (bucket && path) return { bucket, path: decoded(path.replace(/\/+/g, '/')) }
  }
  return undefined
}

/** Addresses that name a job and a build id only: Deck's `/view/prowjob/<job>/<id>` and `/log?job=&id=`. */
export function parseBuildAddress(text: string): { readonly job: string; readonly buildId: string } | undefined {
  const url = URL.parse(pastedAddress(text))
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  const [, job, id] = /^\/+view\/+prowjob\/+([^/]+)\/+(\d{1,20})\/*$/.exec(url.pathname) ?? []
  if (job && id) return { job: decoded(job), buildId: id }
  const [asked, build] = [url.searchParams.get('job'), url.searchParams.get('id')]
  const isLog = /^\/+log$/.test(url.pathname) && asked && build && /^\d{1,20}$/.test(build)
  return isLog ? { job: asked, buildId: build } : undefined
}

/** A page of a run of prowl, here or elsewhere. */
function ownAddress(address: string): RunAddress | undefined {
  const url = URL.parse(address)
  const inside = url && /^https?:$/.test(url.protocol) && /^\/(?:api\/v1\/)?(?:runs|raw)\/(.+)$/.exec(url.pathname)?.[1]
  const key = inside ? parseRunPath(inside) : undefined
  if (!url || !key || lastRun(key.path) !== key.path) return undefined
  const [log, line] = [url.searchParams.get('log'), url.searchParams.get('line')]
  const bucket = key.bucket.slice(key.bucket.indexOf('://') + 3)
  if (log && line && /^[1-9]\d{0,9}$/.test(line)) return { bucket, path: key.path, anchor: { log, line: Number(line) } }
  return { bucket, path: key.path, ...(log && { file: log }) }
}

/** Of a pull request's path the number of the request is no build id: the last number is. */
function lastRun(path: string): string | undefined {
  const pull =
    /^pr-logs\/(?:pull\/(?:[^/]+\/)?(?:\d+|batch)\/[^/]+\/\d{1,20}(?=\/|$)|directory\/[^/]+\/\d{1,20}(?:\.txt$|(?=\/|$)))/.exec(
      path,
    )
  return (pull ?? RUN.exec(path))?.[0]
}

/** Without its escapes; as it is where they are none. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `#1:build-log.txt%3A4097`: lens, file and line; of a range the first, of several the first. */
function anchorOf(fragment: string): { anchor?: LinkAnchor } {
  const match = /^\d+:(.+?)(?:%3A|:)(\d{1,10})(?:-\d+)?$/i.exec(fragment.split(';', 1)[0] ?? '')
  return match?.[1] && match[2] ? { anchor: { log: decoded(match[1]), line: Number(match[2]) } } : {}
}
