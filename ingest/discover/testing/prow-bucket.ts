import { snowflakeAt } from '#lib/model/build-id.ts'
import type { MemoryObject } from './memory-source.ts'
import { prowJob } from './prow-job.ts'

export type JobKind = 'periodic' | 'presubmit' | 'batch'

export interface BucketRun {
  readonly job: string
  readonly kind: JobKind
  /** Epoch ms. */
  readonly began: number
  /** Absent while it runs. */
  readonly ended?: number | undefined
  readonly failed: boolean
  readonly id: string
  readonly path: string
}

export interface BucketJob {
  readonly name: string
  readonly kind: JobKind
  readonly sequential: boolean
  /** Pointers with their target in the metadata, as Prow writes them; else in the text alone. */
  readonly labelled?: boolean
  /** The runs in the order of their start; each as so many ms, absent while it runs. */
  readonly runs: readonly { readonly began: number; readonly lasted?: number | undefined; readonly failed?: boolean }[]
  /** The number of the first run, of a sequential job. */
  readonly first?: number
}

export function runsOfJob({ name: job, kind, sequential, runs, first = 1 }: BucketJob): BucketRun[] {
  return runs.map(({ began, lasted, failed = false }, at) => {
    const id = sequential ? `${first + at}` : snowflakeAt(began + 4000)
    const directory = {
      periodic: `logs/${job}`,
      presubmit: `pr-logs/pull/org_repo/${100 + at}/${job}`,
      batch: `pr-logs/pull/batch/${job}`,
    }[kind]
    const ended = lasted === undefined ? undefined : began + lasted
    return { job, kind, began, ended, failed, id, path: `${directory}/${id}` }
  })
}

/** The objects that Prow's pods leave of these jobs. */
export function objectsOf(jobs: readonly BucketJob[]): Map<string, MemoryObject> {
  const objects = new Map<string, MemoryObject>()
  const seconds = (at: number) => Math.floor(at / 1000)
  for (const job of jobs) {
    const runs = runsOfJob(job)
    const numbers = job.kind === 'presubmit' ? `pr-logs/directory/${job.name}/` : runs[0]?.path.replace(/[^/]+$/, '')
    for (const { path, id, began, ended, failed } of runs) {
      objects.set(`${path}/started.json`, { text: JSON.stringify({ timestamp: seconds(began) }) })
      objects.set(`${path}/artifacts/junit.xml`, { text: '' })
      objects.set(`${path}/build-log.txt`, { text: '' })
      if (ended !== undefined)
        objects.set(`${path}/finished.json`, { text: JSON.stringify({ timestamp: seconds(ended), passed: !failed }) })
      const text = `gs://memory/${path}\n`
      if (job.kind === 'presubmit')
        objects.set(`${numbers}${id}.txt`, {
          text,
          ...(job.labelled ? { metadata: { 'x-goog-meta-link': text } } : {}),
        })
    }
    const last = runs.at(-1)
    if (last) objects.set(`${numbers}latest-build.txt`, { text: last.id })
  }
  return objects
}

/** OpenShift's index of those that have ended since. */
export function indexOf(runs: readonly BucketRun[], since: number): Map<string, MemoryObject> {
  const objects = new Map<string, MemoryObject>()
  for (const { path, job, id, ended, failed } of runs) {
    if (ended === undefined || ended < since) continue
    const metadata = { link: `gs://memory/${path}`, state: failed ? 'failed' : 'success', completed: `${ended / 1000}` }
    objects.set(`index/job-state/${new Date(ended).toISOString().slice(0, 19)}Z/${job}/${id}`, { text: '{}', metadata })
  }
  return objects
}

/** What Deck still holds after Prow's sinker swept at this moment. */
export function deckItems(runs: readonly BucketRun[], sweptAt: number, maxAgeMs: number): unknown[] {
  const latest = new Map(runs.filter(({ began }) => began <= sweptAt).map((run) => [run.job, run]))
  const held = runs.filter((run) => {
    const isSpared = run.kind === 'periodic' && latest.get(run.job) === run
    return run.ended === undefined || run.ended > sweptAt || run.began >= sweptAt - maxAgeMs || isSpared
  })
  return held.map(({ job, kind, id, path, began, ended, failed }) =>
    prowJob({
      job,
      id,
      type: kind,
      state: ended === undefined ? 'pending' : failed ? 'failure' : 'success',
      startTime: began,
      ...(ended === undefined ? {} : { completionTime: ended }),
      url: `https://prow.example/view/gs/memory/${path}`,
      org: 'org',
      repo: 'repo',
      pull: Number(path.split('/')[3] ?? 0),
    }),
  )
}
