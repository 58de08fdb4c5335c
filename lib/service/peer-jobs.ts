import { runLinks } from '../deployment/links.ts'
import { ProwlError } from '../errors.ts'
import { allPages } from '../incident/runs.ts'
import type { Run, RunRefs, RunResult } from '../model/run.ts'
import { parseDuration } from '../search/duration.ts'
import type { Context } from './context.ts'

/** As far back as ci-search keeps runs. */
const KEPT_MS = 14 * 86_400_000
const PAGE = 1_000
/** Bytes of text that are sent at once, about. */
const CHUNK = 64 * 1024

/** Prow knows no lost runs: they are errors of its own. */
const STATES: Readonly<Record<RunResult, string>> = {
  success: 'success',
  failure: 'failure',
  aborted: 'aborted',
  error: 'error',
  pending: 'pending',
  lost: 'error',
}

/** How far back `/jobs` goes, ms: `maxAge`, else 14 days. Throws QUERY_INVALID. */
export function jobsAge(params: URLSearchParams): number {
  const text = params.get('maxAge')?.trim()
  const age = text ? parseDuration(text) : KEPT_MS
  if (age !== undefined) return age
  throw new ProwlError('QUERY_INVALID', 'maxAge: must be a duration such as 336h, 90m or 7d')
}

/**
 * Every run of the last `ageMs` as Prow's list of ProwJobs, newest first, as it is read: `{"items":[…]}`. Fields:
 * https://github.com/kubernetes-sigs/prow/blob/main/pkg/apis/prowjobs/v1/types.go
 */
export async function* prowJobs({ store, now }: Pick<Context, 'store' | 'now'>, ageMs: number, site: string) {
  let text = '{"items":['
  let first = true
  const filter = { from: now() - ageMs }
  for await (const run of allPages((page) => store.runs(filter, page), PAGE)) {
    text += `${first ? '' : ','}${JSON.stringify(prowJob(run, site))}`
    first = false
    if (text.length < CHUNK) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}]}\n`)
}

function prowJob(run: Run, site: string): object {
  const { spyglass, prowl } = runLinks(run)
  const { job, buildId, type, cluster, refs, result, startedAt, finishedAt, description } = run
  return {
    metadata: { name: buildId, annotations: { 'prow.k8s.io/job': job } },
    spec: { type, job, ...(cluster ? { cluster } : {}), ...(refs ? { refs: refsOf(refs) } : {}) },
    status: {
      state: STATES[result],
      ...(startedAt === undefined ? {} : { startTime: instant(startedAt) }),
      ...(finishedAt === undefined ? {} : { completionTime: instant(finishedAt) }),
      ...(description ? { description } : {}),
      url: spyglass ?? `${site}${prowl}`,
      build_id: buildId,
    },
  }
}

function refsOf({ org, repo, baseRef, baseSha, pulls }: RunRefs): object {
  return { org, repo, base_ref: baseRef, base_sha: baseSha, pulls }
}

/** Prow gives whole seconds. */
function instant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
