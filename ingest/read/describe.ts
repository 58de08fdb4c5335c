import type { z } from 'zod'
import { snowflakeTime } from '#lib/model/build-id.ts'
import {
  RUN_RESULTS,
  RUN_TYPES,
  type Run,
  type RunKey,
  type RunRefs,
  type RunResult,
  type RunType,
} from '#lib/model/run.ts'
import type { RunPath } from '../discover/run-path.ts'
import { CloneRecords, Finished, PodInfo, ProwJob, Started } from './documents.ts'

/** The JSON objects of a run that are read, by name: their text, undefined where there is none. */
export const DOCUMENTS = [
  'started.json',
  'finished.json',
  'prowjob.json',
  'clone-records.json',
  'podinfo.json',
] as const
export type Documents = Partial<Record<(typeof DOCUMENTS)[number], string>>

export interface Described {
  readonly run: Run
  readonly podInfo: z.infer<typeof PodInfo> | undefined
  readonly state: string | undefined
  /** The ProwJob says that it ended, whether or not a finished.json is there. */
  readonly ended: boolean
}

export interface DescribeOptions {
  /** Epoch ms: the run's time where nothing else tells one. */
  readonly firstSeen: number
  /** No finished.json came within the wait. */
  readonly lost: boolean
  /** A ProwJob that ended before this moment (epoch ms) without a finished.json will get none: its own state counts. */
  readonly settledBefore: number
}

/** Puts together what a run's objects tell; whatever is odd becomes a warning. Pure. */
export function describeRun(key: RunKey, path: RunPath, documents: Documents, options: DescribeOptions): Described {
  const warnings: string[] = []
  const read = <T extends z.ZodType>(name: keyof Documents, schema: T) => parse(name, documents[name], schema, warnings)
  const started = read('started.json', Started)
  const finished = read('finished.json', Finished)
  const prowJob = read('prowjob.json', ProwJob)
  const clones = read('clone-records.json', CloneRecords) ?? []
  const podInfo = read('podinfo.json', PodInfo)
  const hasFinished = documents['finished.json'] !== undefined
  const ended = hasFinished ? undefined : endedWithout(prowJob, options.settledBefore)
  if (ended) warnings.push('finished.json: is missing; the result is prowjob.json’s')
  const without = ended ?? (options.lost ? 'lost' : 'pending')
  const result = hasFinished ? finishedResult(finished, prowJob, warnings) : without
  const startedAt = started?.timestamp ?? prowJob?.status?.startTime
  const finishedAt = finished?.timestamp ?? (hasFinished || ended ? prowJob?.status?.completionTime : undefined)
  if (startedAt !== undefined && finishedAt !== undefined && finishedAt < startedAt)
    warnings.push('finished.json: ends before the run started')
  if (clones.some((clone) => clone.failed)) warnings.push('clone-records.json: a clone failed')
  const refs = runRefs(path, started, prowJob, clones)
  const run: Run = {
    bucket: key.bucket,
    path: key.path,
    job: path.job,
    buildId: path.buildId,
    type: runType(path, prowJob),
    result,
    ...optional('startedAt', startedAt),
    ...optional('finishedAt', finishedAt),
    ...placed(path.buildId, startedAt, finishedAt, options.firstSeen, warnings),
    ...optional('refs', refs),
    ...optional('cluster', prowJob?.spec.cluster),
    ...optional('description', prowJob?.status?.description),
    warnings,
  }
  const { state, completionTime } = prowJob?.status ?? {}
  return { run, podInfo, state, ended: completionTime !== undefined }
}

function parse<T extends z.ZodType>(
  name: string,
  text: string | undefined,
  schema: T,
  warnings: string[],
): z.infer<T> | undefined {
  if (text === undefined) return undefined
  if (text.trim() === '') {
    warnings.push(`${name}: is empty`)
    return undefined
  }
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    warnings.push(`${name}: is not of its form`)
  } catch {
    warnings.push(`${name}: is not JSON`)
  }
  return undefined
}

function finishedResult(
  finished: z.infer<typeof Finished> | undefined,
  prowJob: z.infer<typeof ProwJob> | undefined,
  warnings: string[],
): RunResult {
  const own = asResult(finished?.result)
  if (own) return own
  if (finished?.passed !== undefined) return finished.passed ? 'success' : 'failure'
  const state = asResult(prowJob?.status?.state)
  warnings.push(`finished.json: tells no result; taken ${state ? 'from prowjob.json' : 'as an error'}`)
  return state ?? 'error'
}

/** What a ProwJob ended as whose pod died before it could upload anything. */
function endedWithout(prowJob: z.infer<typeof ProwJob> | undefined, settledBefore: number): RunResult | undefined {
  const { state, completionTime } = prowJob?.status ?? {}
  return completionTime !== undefined && completionTime < settledBefore ? asResult(state) : undefined
}

function asResult(value: string | undefined): RunResult | undefined {
  const lower = value?.toLowerCase()
  return RUN_RESULTS.find((result) => result === lower && result !== 'pending' && result !== 'lost')
}

function placed(
  buildId: string,
  startedAt: number | undefined,
  finishedAt: number | undefined,
  firstSeen: number,
  warnings: string[],
): Pick<Run, 'time' | 'timeSource'> {
  if (finishedAt !== undefined) return { time: finishedAt, timeSource: 'finished' }
  if (startedAt !== undefined) return { time: startedAt, timeSource: 'started' }
  const time = snowflakeTime(buildId)
  if (time === undefined) warnings.push('nothing tells when it ran: placed at when it was first seen')
  return { time: time ?? firstSeen, timeSource: 'id' }
}

function runType(path: RunPath, prowJob: z.infer<typeof ProwJob> | undefined): RunType {
  const told = RUN_TYPES.find((type) => type === prowJob?.spec.type?.toLowerCase())
  return told ?? path.type
}

function runRefs(
  path: RunPath,
  started: z.infer<typeof Started> | undefined,
  prowJob: z.infer<typeof ProwJob> | undefined,
  clones: z.infer<typeof CloneRecords>,
): RunRefs | undefined {
  const told = prowJob?.spec.refs ?? clones.find((clone) => clone.refs?.org && clone.refs.repo)?.refs
  if (told?.org && told.repo)
    return {
      org: told.org,
      repo: told.repo,
      ...optional('baseRef', told.base_ref),
      ...optional('baseSha', told.base_sha),
      pulls: told.pulls.map((pull) => ({
        number: pull.number,
        ...optional('author', pull.author),
        ...optional('sha', pull.sha),
      })),
    }
  const repo = path.repo ?? firstRepo(started?.repos)
  return repo && path.pull !== undefined ? { ...repo, pulls: [{ number: path.pull }] } : undefined
}

/** started.json's `repos` begins with the repository under test, as `org/repo`. */
function firstRepo(repos: Readonly<Record<string, string>> | undefined): RunPath['repo'] {
  const [org, repo] = Object.keys(repos ?? {})[0]?.split('/') ?? []
  return org && repo ? { org, repo } : undefined
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}
