export interface ProwJobOptions {
  readonly job: string
  readonly id: string
  readonly type?: string
  readonly state?: string
  readonly startTime?: number
  readonly completionTime?: number
  readonly url?: string
  readonly org?: string
  readonly repo?: string
  readonly pull?: number
}

/** A ProwJob as Deck answers it. */
export function prowJob(options: ProwJobOptions) {
  const { job, id, type = 'periodic', state = 'success', startTime, completionTime, url, org, repo, pull } = options
  const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
  const refs = repo === undefined ? undefined : { org, repo, pulls: pull === undefined ? [] : [{ number: pull }] }
  return {
    metadata: { name: `pod-${id}`, creationTimestamp: time(startTime) },
    spec: { type, agent: 'kubernetes', job, refs, pod_spec: { containers: [{ name: '', resources: {} }] } },
    status: { state, startTime: time(startTime), completionTime: time(completionTime), build_id: id, url },
  }
}
