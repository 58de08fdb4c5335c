import { pullHistoryLink, pullLink } from '../deployment/links.ts'
import { allPages, runText } from '../incident/runs.ts'
import { snowflakeTime } from '../model/build-id.ts'
import { RUN_RESULTS, type Run, type RunResult } from '../model/run.ts'
import { isFailed } from '../triage/failure-finder.ts'
import type { Pull } from './box.ts'
import type { Context } from './context.ts'
import { storedRuns } from './known.ts'
import { figuresReach } from './reach.ts'
import { type RunKnown, runsKnown } from './run-known.ts'
import type { DataLack, DataReach } from './views.ts'

/** Runs of a pull request that are read, the newest; and failed ones of them that are told. */
const MOST_RUNS = 1_000
const MOST_FAILED = 200

/** Whether a pull request's red jobs are known. */
export interface PullView {
  /** `history`: Deck's list of all its runs. */
  readonly pull: Pull & { readonly name: string; readonly github?: string; readonly history?: string }
  /** The newest first: all but the first are superseded. */
  readonly commits: readonly PullCommit[]
  /** `limit`: older runs, or failed ones, exist that are not told. */
  readonly partial: readonly (DataLack | 'limit')[]
  /** All runs that started before are in, epoch ms. */
  readonly completeTo?: number
  readonly reach: DataReach
}

export interface PullCommit {
  /** Absent for runs that don't say which commit they tested. */
  readonly sha?: string
  readonly runs: Readonly<Record<RunResult, number>>
  /** Newest first. */
  readonly failed: readonly PullRun[]
  /** Newest first. */
  readonly pending: readonly Run[]
}

export interface PullRun extends RunKnown {
  /** A later run of the job on the same commit that passed. */
  readonly passedSince?: Run
  /** Other pull requests that a batch tested with it. */
  readonly beside: readonly number[]
}

/** A pull request that no run of was read has no commits. */
export async function pullView(ctx: Context, pull: Pull): Promise<PullView> {
  const reach = await figuresReach(ctx)
  const runs: Run[] = []
  for await (const run of allPages((page) => ctx.store.runs({ pull }, page), MOST_RUNS)) {
    if (runs.length > MOST_RUNS) break
    runs.push(run)
  }
  const told = runs.slice(0, MOST_RUNS)
  const failed = told.filter(({ result }) => isFailed(result))
  const shown = failed.slice(0, MOST_FAILED)
  const stored = await storedRuns(ctx, shown)
  const known = await runsKnown(ctx, [...stored.values()])
  const knownOf = new Map(known.map((one) => [runText(one.run), one]))
  const { org, repo, number } = pull
  const github = pullLink(org, repo, number)
  const history = told[0] && pullHistoryLink(told[0].bucket, pull)
  return {
    pull: {
      ...{ org, repo, number, name: `${org}/${repo}#${number}` },
      ...(github !== undefined && { github }),
      ...(history !== undefined && { history }),
    },
    commits: commitsOf(told, number).map((commit) => commitView(commit, number, knownOf)),
    partial: [
      ...reach.lacking,
      ...(runs.length > told.length || failed.length > shown.length ? (['limit'] as const) : []),
    ],
    ...(reach.completeTo !== undefined && { completeTo: reach.completeTo }),
    reach,
  }
}

/** Of its newest commit; a run whose job passed since counts no more. */
export function pullAnswer({
  commits: [newest],
  partial,
}: Pick<PullView, 'commits' | 'partial'>): 'known' | 'not' | 'undecided' | 'unread' {
  if (!newest) return 'unread'
  const red = newest.failed.filter(({ passedSince }) => !passedSince)
  if (red.some(({ state }) => state === 'not')) return 'not'
  if (red.some(({ state }) => state === 'unsure') || newest.pending.length > 0) return 'undecided'
  if (red.length > 0) return 'known'
  return partial.length > 0 ? 'undecided' : 'not'
}

/** Of a run whose job passed since: the commit is not what it failed of. */
const FLAKE = 'not known: it passed since, on the same commit'

interface CommitRuns {
  readonly sha?: string
  readonly runs: readonly Run[]
}

/** Runs by the commit that they tested, as Prow was asked last first; those that don't say which come last. */
export function commitsOf(runs: readonly Run[], number: number): CommitRuns[] {
  const bySha = Map.groupBy(runs, (run) => run.refs?.pulls.find((pull) => pull.number === number)?.sha)
  return [...bySha]
    .map(([sha, own]) => ({ ...(sha !== undefined && { sha }), runs: own, began: Math.max(...own.map(beginOf)) }))
    .sort((a, b) => Number(a.sha === undefined) - Number(b.sha === undefined) || b.began - a.began)
    .map(({ began: _, ...commit }) => commit)
}

function commitView({ sha, runs }: CommitRuns, number: number, known: ReadonlyMap<string, RunKnown>): PullCommit {
  const failed = runs.flatMap((run) => {
    const one = known.get(runText(run))
    if (!one) return []
    const since = runs.find(
      (other) => other.result === 'success' && other.job === run.job && beginOf(other) > beginOf(run),
    )
    const beside = (run.refs?.pulls ?? []).map((pull) => pull.number).filter((other) => other !== number)
    if (!since) return [{ ...one, beside }]
    return [{ ...one, beside, passedSince: since, words: one.state === 'not' ? FLAKE : one.words }]
  })
  return {
    ...(sha !== undefined && { sha }),
    runs: countsOf(runs),
    failed,
    pending: runs.filter(({ result }) => result === 'pending'),
  }
}

function countsOf(runs: readonly Run[]): Record<RunResult, number> {
  const count = (wanted: RunResult) => runs.filter(({ result }) => result === wanted).length
  return Object.fromEntries(RUN_RESULTS.map((result) => [result, count(result)])) as Record<RunResult, number>
}

function beginOf({ startedAt, buildId, time }: Run): number {
  return startedAt ?? snowflakeTime(buildId) ?? time
}
