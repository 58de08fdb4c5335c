import { BEAT, firstMissedBeat, type Planned } from '../plan.ts'
import { random } from '../random.ts'
import { rfc3339Nanos } from '../times.ts'
import { region } from '../words.ts'

/**
 * The lease container's log: one heartbeat every 30 s, none of them with a time (DOMAIN.md §3). The lease server's
 * outage reads as one EOF, the request cut off, and then no route to host.
 */
export function leaseLog(run: Planned): string[] {
  const { lease, job } = run
  if (!lease || !job.cloud) return []
  const rng = random(run.seed, run.path, 'lease')
  const template = job.style === 'template'
  const name = template
    ? rng.uuid()
    : `${region(job.cloud, rng)}--${job.cloud}-quota-slice-${String(rng.int(1, 40)).padStart(2, '0')}`
  const owner = `${run.namespace}-${rng.hex(5)}`
  const url = `http://boskos.ci/update?name=${name}&owner=${owner}&state=leased`
  const post = `Post ${template ? url : `"${url}"`}: `
  const dial = `${post}dial tcp 172.30.${rng.int(2, 240)}.${rng.int(2, 250)}:80: connect: `
  const resource = JSON.stringify({
    name,
    type: `${job.cloud}-quota-slice`,
    state: 'leased',
    owner,
    lastupdate: rfc3339Nanos(lease.from),
    userdata: null,
  })
  return [
    '[INFO] Acquiring a lease ...',
    '[INFO] Lease acquired!',
    `[INFO] Leased resource: ${resource}`,
    '[INFO] Sending heartbeats to retain the lease...',
    ...beats(run, lease, { name, post, dial }),
  ]
}

function beats(
  run: Planned,
  lease: { from: number; to: number },
  text: { name: string; post: string; dial: string },
): string[] {
  const plant = run.plants.find(({ id }) => id === 'boskos.heartbeat')
  const first = plant ? firstMissedBeat(lease.from, plant.at) : Number.POSITIVE_INFINITY
  const missed = plant?.missed ?? 0
  const count = Math.floor((lease.to - lease.from) / BEAT)
  const lines: string[] = []
  for (let beat = 1; beat <= count; beat++) {
    const miss = beat - first
    if (miss < 0 || miss >= missed) {
      lines.push(`heartbeat sent for resource "${text.name}"`)
      continue
    }
    const refused = plant?.refused && miss >= missed - 2
    const why = miss === 0 ? `${text.post}EOF` : `${text.dial}${refused ? 'connection refused' : 'no route to host'}`
    lines.push(`failed to send heartbeat for resource "${text.name}": ${why}`)
  }
  const ended = plant?.fatal ? 'failed' : run.state === 'aborted' ? 'aborted' : 'done'
  if (ended === 'aborted') lines.push(`received interrupt, stopping heartbeats for resource "${text.name}"`)
  if (ended === 'done') lines.push('[INFO] Releasing the lease...', `released resource "${text.name}"`)
  return lines
}
