import type { RunType } from '#lib/model/run.ts'
import { drafts } from './drafts.ts'
import { sequential, snowflake } from './ids.ts'
import { CLUSTERS, DEFAULT_REPO, type Job } from './jobs.ts'
import type { Draft, Planned, Pull, Shape } from './plan.ts'
import { type Random, random } from './random.ts'
import { DAY, DAYS, MINUTE, MIRROR_RENAMED_DAY, NEAR_MISSES, type NearMiss } from './story.ts'

const AUTHORS = ['abhinav', 'crawford', 'deads', 'jhixson', 'mtrmac', 'sdodson', 'sjenning', 'smarterclayton', 'wking']

/** Every run of the bucket in order of start: pure, and all that its objects depend on. */
export function schedule(seed: number, end: number): Planned[] {
  const start = Math.floor(end / 1000) * 1000 - DAYS * DAY
  const ordered = drafts(seed, start)
    .filter((draft) => draft.end <= end)
    .sort((a, b) => a.start - b.start || (a.job.name < b.job.name ? -1 : 1))
  const shaped = withShapes(ordered, seed, end).sort((a, b) => a.start - b.start)
  const idOf = idGiver()
  return shaped.map((draft, nth) => finish(draft, { seed, start, id: idOf(draft, nth) }))
}

function idGiver(): (draft: Draft, nth: number) => string {
  const counters = new Map<string, () => string>()
  return ({ job, start }, nth) => {
    if (job.firstId === undefined) return snowflake(start - 1400 - (nth % 7) * 900, nth % 3)
    const next = counters.get(job.name) ?? sequential(job.firstId)
    counters.set(job.name, next)
    return next()
  }
}

function finish({ batch, pull, pullsBack, ...draft }: Draft, of: { seed: number; start: number; id: string }): Planned {
  const { job, start } = draft
  const rng = random(of.seed, job.name, of.id)
  const day = (start - of.start) / DAY
  const type = batch ? 'batch' : job.type
  const pulls = pullsOf({ job, type, day, pull, pullsBack, rng })
  return {
    ...draft,
    seed: of.seed,
    buildId: of.id,
    type,
    pulls,
    path: pathOf(job, type, pulls, of.id),
    cluster: rng.pick(CLUSTERS),
    namespace: `ci-op-${rng.name(8)}`,
    baseSha: random('base', job.org, job.repo, Math.floor(day)).hex(40),
    nearMisses: nearMissesOf(job, rng),
    oldMirror: day < MIRROR_RENAMED_DAY,
  }
}

interface PullsOf {
  readonly job: Job
  readonly type: RunType
  readonly day: number
  readonly pull: number | undefined
  readonly pullsBack: number | undefined
  readonly rng: Random
}

function pullsOf(of: PullsOf): Pull[] {
  const { job, type, day, rng } = of
  if (type !== 'presubmit' && type !== 'batch') return []
  const newest = (job.firstPull ?? 1) + Math.floor(day * 2.2)
  const chosen = of.pull ?? newest - (of.pullsBack ?? rng.int(0, 5))
  const numbers = type === 'batch' ? [chosen, chosen - 7, chosen - 9] : [chosen]
  return numbers.map((number) => {
    const pull = random('pull', job.repo, number)
    return { number, author: pull.pick(AUTHORS), sha: pull.hex(40) }
  })
}

/** Where Prow uploads a run's objects (pkg/pod-utils/gcs/target.go), strategy `single` with one default repository. */
function pathOf(job: Job, type: string, pulls: readonly Pull[], id: string): string {
  if (type === 'batch') return `pr-logs/pull/batch/${job.name}/${id}`
  if (type !== 'presubmit') return `logs/${job.name}/${id}`
  const repo = `${job.org}/${job.repo}` === DEFAULT_REPO ? '' : `${job.org}_${job.repo}/`
  return `pr-logs/pull/${repo}${pulls[0]?.number}/${job.name}/${id}`
}

const WRITERS_OF: Readonly<Record<NearMiss, readonly Job['style'][]>> = {
  'kubelet-lease': ['steps'],
  'node-lease-route': ['kubetest', 'steps'],
  'leader-election': ['steps', 'template'],
  'server-no-route': ['steps', 'template'],
  'span-eof': ['unit', 'images'],
  'grep-echo': ['template'],
  'quoted-test-name': ['template', 'steps'],
  nmos: ['unit'],
  'source-diff': ['unit'],
  'short-disruption': ['template', 'steps'],
}

function nearMissesOf(job: Job, rng: Random): NearMiss[] {
  return NEAR_MISSES.filter((kind) => WRITERS_OF[kind].includes(job.style) && rng.chance(0.12))
}

/** Which runs are odd, how many of each, and which state fits. */
const SHAPES: readonly { shape: Shape; count: number; fits: (draft: Draft, end: number) => boolean }[] = [
  { shape: 'pending', count: 1, fits: ({ job, end }, last) => job.style === 'steps' && last - end < 1.5 * DAY },
  { shape: 'lost', count: 2, fits: ({ end }, last) => last - end > 20 * DAY },
  { shape: 'finished-without-time', count: 3, fits: ({ state }) => state === 'success' },
  { shape: 'passed-null', count: 3, fits: ({ state }) => state === 'aborted' },
  { shape: 'finished-not-json', count: 2, fits: ({ state }) => state === 'success' },
  { shape: 'empty-build-log', count: 3, fits: ({ state }) => state === 'aborted' },
  { shape: 'no-build-log', count: 2, fits: ({ state }) => state === 'aborted' },
  { shape: 'truncated-gzip', count: 2, fits: ({ state, job }) => state === 'success' && job.style === 'template' },
  { shape: 'died-before-logging', count: 3, fits: ({ state, job }) => state === 'aborted' && job.style === 'steps' },
  { shape: 'only-prowjob', count: 2, fits: ({ state }) => state === 'aborted' },
  { shape: 'clone-failed', count: 3, fits: ({ state, job }) => state === 'aborted' && job.type === 'presubmit' },
  {
    shape: 'container-build-logs',
    count: 5,
    fits: ({ state, job }) => state === 'success' && job.style === 'kubetest',
  },
  { shape: 'raw-bytes', count: 5, fits: ({ state, job }) => state === 'success' && job.style === 'kubetest' },
]

/** Shapes that are failures, which no signature knows. */
const FAILED: Partial<Record<Shape, Pick<Draft, 'state' | 'unexplained'>>> = {
  'died-before-logging': { state: 'error', unexplained: 'unknown.scheduling' },
  'only-prowjob': { state: 'error', unexplained: 'unknown.scheduling' },
  'clone-failed': { state: 'failure', unexplained: 'unknown.clone' },
}

function withShapes(ordered: readonly Draft[], seed: number, end: number): Draft[] {
  const shapeOf = new Map<Draft, Shape>()
  for (const { shape, count, fits } of SHAPES) {
    const rng = random(seed, 'shape', shape)
    const fitting = ordered.filter(
      (draft) =>
        !shapeOf.has(draft) && !draft.shape && draft.plants.length === 0 && !draft.unexplained && fits(draft, end),
    )
    for (const draft of rng.shuffle(fitting).slice(0, count)) shapeOf.set(draft, shape)
  }
  return ordered.map((draft) => {
    const shape = shapeOf.get(draft)
    if (!shape) return draft
    const changed = { ...(shape === 'pending' ? pendingAt(draft, end) : draft), shape }
    const failed = FAILED[shape]
    return failed ? { ...changed, ...failed } : changed
  })
}

/** A run that began half an hour before the end and goes on. */
function pendingAt({ lease: _, ...draft }: Draft, end: number): Draft {
  const start = Math.floor((end - 30 * MINUTE) / 1000) * 1000
  return { ...draft, start, end: Math.floor((end - MINUTE) / 1000) * 1000 }
}
