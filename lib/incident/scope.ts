import type { Incident } from '../model/incident.ts'
import type { Change, ChangeScope } from '../model/signature.ts'
import { compile } from '../regex/compile.ts'
import { votesOf } from './votes.ts'

/** What scopes speak of. */
export interface Scoped {
  readonly job: string
  readonly cluster?: string
  readonly branch?: string
}

/** Whether a run can have been touched by one of the changes; undefined where all can. */
export function scopeOf(changes: readonly Change[]): ((run: Scoped) => boolean) | undefined {
  const tests = changes.map(({ scope }) => (scope ? inScope(scope) : undefined))
  if (tests.length === 0 || tests.includes(undefined)) return undefined
  return (run) => tests.some((test) => test?.(run))
}

function inScope({ branches, jobs, clusters }: ChangeScope): (run: Scoped) => boolean {
  const patterns = jobs?.map((job) => compile(job))
  return ({ job, branch, cluster }) =>
    (!branches || (branch !== undefined && branches.includes(branch))) &&
    (!clusters || (cluster !== undefined && clusters.includes(cluster))) &&
    (!patterns || patterns.some((pattern) => pattern.test(job)))
}

/** An incident as its runs in scope tell it; undefined where it struck none of them. */
export function incidentIn(incident: Incident, covers: (run: Scoped) => boolean): Incident | undefined {
  const runs = incident.runs.filter(covers)
  if (runs.length === 0) return undefined
  if (runs.length === incident.runs.length) return incident
  return { ...incident, runs, ...votesOf(runs) }
}
