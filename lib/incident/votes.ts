import type { Incident, IncidentRun } from '../model/incident.ts'

/** Retries of one pull request fail together for its own sake, so they are one vote; batches and rehearsals have none. */
export function votesOf(runs: readonly IncidentRun[]): Pick<Incident, 'pulls' | 'votes'> {
  const voting = runs.filter((run) => !rehearsal(run))
  const pulls = [...new Set(voting.filter(({ type }) => type === 'presubmit').flatMap((run) => run.pulls ?? []))].sort()
  return {
    pulls,
    votes: pulls.length + voting.filter(({ type }) => type === 'periodic' || type === 'postsubmit').length,
  }
}

/** An outage shows in more than one pull request or run: what one alone shows is its own. */
export function isCounted({ votes }: Pick<Incident, 'votes'>): boolean {
  return votes >= 2
}

/** A rehearsal tries out a job's new form on behalf of the pull request that changes it (OpenShift's job names). */
function rehearsal({ job }: IncidentRun): boolean {
  return job.startsWith('rehearse-')
}
