import type { LinkAnchor } from './links.ts'

/** What an address of Spyglass, gcsweb or a bucket names: `bucket` without scheme, the line where it gives one. */
export interface RunAddress {
  readonly bucket: string
  readonly path: string
  readonly anchor?: LinkAnchor
}

// The forms that Deck, gcsweb, Gubernator, Google's consoles and gsutil have had: with a provider or without, doubled
// slashes, a slash at the end.
const FORMS: readonly RegExp[] = [
  /^https?:\/\/[^/]+\/+view\/+(?:(?:gs|gcs|s3)\/+)?(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/[^/]+\/+(?:gcs|s3)\/+(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/[^/]*(?:gubernator|appspot)[^/]*\/+build\/+(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/storage\.(?:googleapis|cloud\.google)\.com\/+(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/(?<bucket>[\w.-]+)\.storage\.googleapis\.com\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^https?:\/\/console\.(?:cloud|developers)\.google\.com\/storage\/(?:browser\/)?(?:_details\/)?(?<bucket>[\w.-]+)\/+(?<path>(?:logs|pr-logs)\/.+)$/,
  /^(?:gs|s3|dir):\/\/(?<bucket>[\w.-]+)\/(?<path>(?:logs|pr-logs)\/.+)$/,
]
// Up to the build id, a number: what follows is a file of the run. Some templates of addresses put the repository before
// a job that lies without it.
const RUN = /^(?:logs\/[^/]+(?:\/[^/]+)??|pr-logs\/.+?)\/\d{1,20}(?=\/|$)/

/** The run that an address names; undefined for what is no such address. */
export function parseRunAddress(text: string): RunAddress | undefined {
  const [address = '', fragment = ''] = text.trim().split('#', 2)
  const [bare = ''] = address.split('?', 1)
  for (const form of FORMS) {
    const { bucket, path } = form.exec(bare)?.groups ?? {}
    const run = path && lastRun(decoded(path.replace(/\/+/g, '/')))
    if (bucket && run) return { bucket, path: run, ...anchorOf(fragment) }
  }
  return undefined
}

/** Addresses that name a job and a build id only: Deck's `/view/prowjob/<job>/<id>` and `/log?job=&id=`. */
export function parseBuildAddress(text: string): { readonly job: string; readonly buildId: string } | undefined {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  const [, job, id] = /^\/+view\/+prowjob\/+([^/]+)\/+(\d{1,20})\/*$/.exec(url.pathname) ?? []
  if (job && id) return { job: decoded(job), buildId: id }
  const [asked, build] = [url.searchParams.get('job'), url.searchParams.get('id')]
  const isLog = /^\/+log$/.test(url.pathname) && asked && build && /^\d{1,20}$/.test(build)
  return isLog ? { job: asked, buildId: build } : undefined
}

/** Of a pull request's path the number of the request is no build id: the last number is. */
function lastRun(path: string): string | undefined {
  const pull = /^pr-logs\/(?:pull\/(?:[^/]+\/)?(?:\d+|batch)|directory)\/[^/]+\/\d{1,20}(?=\/|$)/.exec(path)
  return (pull ?? RUN.exec(path))?.[0]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `#1:build-log.txt%3A4097`: lens, file and line; of a range the first. */
function anchorOf(fragment: string): { anchor?: LinkAnchor } {
  const match = /^\d+:(.+?)(?:%3A|:)(\d{1,10})(?:-\d+)?$/i.exec(fragment)
  return match?.[1] && match[2] ? { anchor: { log: decoded(match[1]), line: Number(match[2]) } } : {}
}
