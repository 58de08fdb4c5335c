import type { RunType } from '#lib/model/run.ts'
import { isObeyed } from '#lib/text/printable.ts'

/** What a run's path says by itself (pkg/pod-utils/gcs/target.go in kubernetes-sigs/prow). */
export interface RunPath {
  readonly path: string
  readonly job: string
  readonly buildId: string
  readonly type: RunType
  /** Of a presubmit. */
  readonly pull?: number
  /** Split at the first `_`; absent where the layout leaves the default out, or gives the repository alone. */
  readonly repo?: { readonly org: string; readonly repo: string }
}

const ID = /^\d{1,20}$/

/** Reads `logs/<job>/<id>`, `pr-logs/pull/[<seg>/]<pr>/<job>/<id>` and batch in both of its places; undefined for any other, and for names that a
 * terminal would obey, which Prow gives to none. */
export function parseRunPath(path: string): RunPath | undefined {
  const parts = path.split('/')
  const buildId = parts.pop()
  const job = parts.pop()
  if (buildId === undefined || !job || !ID.test(buildId) || isObeyed(path)) return undefined
  if (parts.length === 1 && parts[0] === 'logs') return { path, job, buildId, type: 'periodic' }
  if (parts[0] !== 'pr-logs' || parts[1] !== 'pull' || parts.length < 3 || parts.length > 4) return undefined
  const segment = parts.length === 4 ? parts[2] : undefined
  const pull = parts.at(-1) ?? ''
  if (pull !== 'batch' && !/^\d{1,15}$/.test(pull)) return undefined
  const repo = splitRepo(segment)
  return {
    path,
    job,
    buildId,
    ...(pull === 'batch' ? { type: 'batch' } : { type: 'presubmit', pull: Number(pull) }),
    ...(repo ? { repo } : {}),
  }
}

function splitRepo(segment: string | undefined): RunPath['repo'] {
  const cut = segment?.indexOf('_') ?? -1
  if (segment === undefined || cut < 1 || cut === segment.length - 1) return undefined
  return { org: segment.slice(0, cut), repo: segment.slice(cut + 1) }
}
