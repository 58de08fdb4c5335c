import { bisectRight, cumsum } from 'd3-array'
import { FAILURE_SHARE, FAILURES, type Failure } from './failures.ts'
import { JOBS, type Job } from './jobs.ts'
import { BEAT, type Draft, FATAL_MISSES, firstMissedBeat, type Plant } from './plan.ts'
import { type Random, random } from './random.ts'
import { BURSTS, DAY, DAYS, DNS_CHANGE, MINUTE, OUTAGES, RETESTED } from './story.ts'

const seconds = (ms: number) => Math.floor(ms / 1000) * 1000
const minutes = (rng: Random, [low, high]: readonly [number, number]) => (low + rng.unit() * (high - low)) * MINUTE
const byStyle = (...styles: readonly Job['style'][]) => JOBS.filter((job) => styles.includes(job.style))
const LEASING = JOBS.filter((job) => job.cloud)

/** Every run's draft, unordered: what the stories need, and the ordinary runs around them. */
export function drafts(seed: number, start: number): Draft[] {
  const planned = [...outageDrafts(seed, start), ...burstDrafts(seed, start), ...retestDrafts(seed, start)]
  const outages = heartbeatOutages(start)
  // Boskos down hits every lease in flight: whoever was not planned to be there must not be.
  return [...planned, ...JOBS.flatMap((job) => ordinaryDrafts(seed, start, job))].filter(
    (draft) =>
      draft.plants.some((plant) => plant.id === 'boskos.heartbeat') || !outages.some((at) => inFlight(draft, at)),
  )
}

function heartbeatOutages(start: number): number[] {
  return OUTAGES.filter((outage) => outage.id === 'boskos.heartbeat').flatMap((o) =>
    o.days.map((day) => start + day * DAY),
  )
}

function inFlight(draft: Draft, at: number): boolean {
  return draft.lease !== undefined && draft.lease.from < at + 16 * MINUTE && draft.lease.to > at - MINUTE
}

/** Jobs that an outage may hit, once each; those of images have few runs, so they may come twice. */
function jobsFor(id: string, rng: Random): Job[] {
  if (id === 'mirror.mismatch') return [...byStyle('images'), ...byStyle('images')]
  if (id === 'image.pull503') return [...rng.shuffle(LEASING), ...byStyle('images')]
  return rng.shuffle(LEASING)
}

function outageDrafts(seed: number, start: number): Draft[] {
  return OUTAGES.flatMap((outage) =>
    outage.days.flatMap((day, index) => {
      const rng = random(seed, outage.id, index)
      const at = seconds(start + day * DAY)
      const count = outage.hits[index % outage.hits.length] ?? 2
      return jobsFor(outage.id, rng)
        .slice(0, count)
        .map((job, nth) => outageDraft(outage.id, job, at, { index, nth, rng }))
    }),
  )
}

interface Turn {
  readonly index: number
  readonly nth: number
  readonly rng: Random
}

function outageDraft(id: string, job: Job, at: number, turn: Turn): Draft {
  if (id === 'boskos.heartbeat') return heartbeatDraft(job, at, turn)
  const { rng, nth } = turn
  const short = job.style === 'images'
  const pullsBack = nth * 2
  if (id === 'image.pull503') {
    const start = at - minutes(rng, [4, 6])
    const dead = nth === 0
    const draft = withoutLease(fatal(job, start, at + minutes(rng, [6, 9]), { id, at, fatal: true }))
    return { ...draft, pullsBack, ...(dead ? { shape: 'died-before-logging', state: 'error' } : {}) }
  }
  const [before, after] = short
    ? [minutes(rng, [7, 11]), minutes(rng, [2, 6])]
    : [minutes(rng, [52, 72]), minutes(rng, [24, 45])]
  const dies = short || rng.chance(0.75)
  const draft = fatal(job, at - before, at + after, { id, at, fatal: dies })
  return { ...draft, pullsBack, state: dies ? 'failure' : 'success' }
}

/** About a third survive: fewer misses than kill, then the heartbeats go on. */
function heartbeatDraft(job: Job, at: number, { index, nth, rng }: Turn): Draft {
  const start = seconds(at - minutes(rng, [26, 72]))
  const from = start + seconds(minutes(rng, [4, 7]))
  const survives = (index + nth) % 3 === 2
  const missed = survives ? rng.int(4, 9) : FATAL_MISSES
  const plant: Plant = { id: 'boskos.heartbeat', at, fatal: !survives, missed, refused: index % 6 === 4 && nth < 1 }
  const last = from + (firstMissedBeat(from, at) + missed - 1) * BEAT
  const end = seconds(last + (survives ? minutes(rng, [28, 60]) : minutes(rng, [6, 10])))
  const to = survives ? end - 2 * MINUTE : last
  const base = { job, start, end, lease: { from, to }, pullsBack: nth * 2 }
  if (!survives) return { ...base, state: 'failure', plants: [plant] }
  if (index % 4 !== 2) return { ...base, state: 'success', plants: [plant] }
  const later: Plant = { id: 'e2e.condition_timeout', at: end - 14 * MINUTE, fatal: true }
  return { ...base, state: 'failure', plants: [plant, later] }
}

function burstDrafts(seed: number, start: number): Draft[] {
  const rng = random(seed, BURSTS.id)
  const all: Draft[] = []
  for (let day = 1.2, nth = 0; day < DAYS - 0.3; day += BURSTS.everyDays * (0.4 + 1.2 * rng.unit()), nth++) {
    const count = BURSTS.hits[nth % BURSTS.hits.length] ?? 1
    const at = seconds(start + day * DAY)
    for (const job of rng.shuffle(LEASING).slice(0, count)) {
      const lineAt = at + seconds(minutes(rng, [0, 5]))
      const end = lineAt + minutes(rng, [0.5, 2])
      const draft = fatal(job, lineAt - minutes(rng, [62, 128]), end, { id: BURSTS.id, at, lineAt, fatal: true })
      all.push(withoutLease(draft))
    }
  }
  return all
}

function retestDrafts(seed: number, start: number): Draft[] {
  const rng = random(seed, RETESTED.id)
  const job = JOBS.find(({ name }) => name === 'pull-ci-openshift-console-operator-master-images')
  if (!job) throw new RangeError('the retested job is not in the table')
  return Array.from({ length: RETESTED.runs }, (_, nth) => {
    const share = nth / (RETESTED.runs - 1)
    const begun = start + (RETESTED.from + (RETESTED.to - RETESTED.from) * share) * DAY
    const end = begun + minutes(rng, [7, 12])
    return {
      ...fatal(job, begun, end, { id: RETESTED.id, at: seconds(end - 2 * MINUTE), fatal: true }),
      pull: RETESTED.pull,
    }
  })
}

function ordinaryDrafts(seed: number, start: number, job: Job): Draft[] {
  const rng = random(seed, job.name)
  const count = Math.round(job.runsPerDay * DAYS)
  return Array.from({ length: count }, (_, nth) => {
    const jitter = job.type === 'periodic' ? 0.1 : 0.9
    const at = start + ((nth + rng.unit() * jitter) / count) * (DAYS - 0.2) * DAY
    const draft = ordinaryDraft(job, at, (at - start) / DAY, rng)
    return job.batch && rng.chance(job.batch) ? { ...draft, batch: true } : draft
  })
}

function ordinaryDraft(job: Job, start: number, day: number, rng: Random): Draft {
  const length = minutes(rng, job.minutes)
  const base = fatal(job, start, start + length)
  if (rng.chance(0.03)) {
    const end = seconds(start + length * (0.1 + 0.5 * rng.unit()))
    return {
      ...withLease(job, base.start, end),
      state: 'aborted',
      plants: [],
      ...(rng.chance(0.5) && { shape: 'crier-aborted' }),
    }
  }
  if (!rng.chance(FAILURE_SHARE[job.style])) return { ...base, state: 'success' }
  const failure = weighted(
    FAILURES.filter((f) => f.styles.includes(job.style) && (f.id !== 'dns.timeout' || day < DNS_CHANGE.day)),
    rng,
  )
  const end = start + (failure.minutes ? minutes(rng, failure.minutes) : length)
  if (failure.unexplained) return { ...fatal(job, start, end), unexplained: failure.id }
  return fatal(job, start, end, { id: failure.id, at: seconds(end) - failure.beforeEnd, fatal: true })
}

function weighted(from: readonly Failure[], rng: Random): Failure {
  const upTo = cumsum(from, ({ weight }) => weight)
  const at = rng.unit() * (upTo.at(-1) ?? 0)
  const chosen = from[bisectRight(upTo, at)]
  if (!chosen) throw new RangeError('no failure fits this style')
  return chosen
}

function fatal(job: Job, start: number, end: number, plant?: Plant): Draft {
  return { ...withLease(job, seconds(start), seconds(end)), state: 'failure', plants: plant ? [plant] : [] }
}

/** A cloud's run leases after some minutes and gives the lease back shortly before its end, if it lives so long. */
function withLease(job: Job, start: number, end: number): Pick<Draft, 'job' | 'start' | 'end' | 'lease'> {
  const from = start + 4 * MINUTE + (start % (3 * MINUTE))
  const to = end - 2 * MINUTE
  return job.cloud && to - from > MINUTE ? { job, start, end, lease: { from, to } } : { job, start, end }
}

function withoutLease({ lease: _, ...draft }: Draft): Draft {
  return draft
}
