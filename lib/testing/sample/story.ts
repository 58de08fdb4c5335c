import { cumsum } from 'd3-array'

/** What the sample bucket tells, as data. Days count from day 0, 120 days before its end. */

export const DAY = 86_400_000
export const MINUTE = 60_000
export const DAYS = 120

/** One outage of a signature: it begins at `at` and these runs show it. */
export interface PlantedIncident {
  /** The true instant at which it began, epoch ms; its first line follows within `LATEST_LINE`. */
  readonly at: number
  readonly runs: readonly PlantedRun[]
}

interface PlantedRun {
  readonly path: string
  readonly job: string
  /** `survived`: the line is there, but the run passed or failed later of something else. */
  readonly outcome: 'died' | 'survived'
}

export interface PlantedChange {
  readonly at: number
  readonly title: string
  readonly link: string
}

export interface PlantedSignature {
  readonly id: string
  /** By time; of a per-run failure one a run. */
  readonly incidents: readonly PlantedIncident[]
  readonly change?: PlantedChange
}

/** Everything planted, so that tests can compare what was found. */
export interface SampleStory {
  readonly seed: number
  /** Day 0, epoch ms. */
  readonly start: number
  readonly end: number
  /** Runs in the bucket. */
  readonly runs: number
  readonly signatures: readonly PlantedSignature[]
  /** Failures that no signature knows, by the text they share. */
  readonly unexplained: readonly { readonly id: string; readonly paths: readonly string[] }[]
  /** Lines that look like a signature's and must not match, by kind. */
  readonly nearMisses: readonly { readonly id: string; readonly paths: readonly string[] }[]
  /** Runs whose objects are odd, by how. */
  readonly shapes: readonly { readonly id: string; readonly paths: readonly string[] }[]
}

/** The longest time between an incident's true instant and its first line. */
export const LATEST_LINE = 6 * MINUTE

/** An outage's plan: when, and how many runs it hits each time (taken in turn). */
interface Outage {
  readonly id: string
  readonly days: readonly number[]
  readonly hits: readonly number[]
  readonly change?: { readonly day: number; readonly title: string; readonly link: string }
}

/** Days between the founding incidents: 12 of them in 62 days, then the change. */
export const HEARTBEAT_GAPS = [5.4, 5.2, 4.1, 5.9, 3.0, 5.8, 4.9, 5.0, 4.0, 4.2, 5.5] as const
const FIRST_HEARTBEAT_DAY = 4.5
const heartbeatDays = Array.from(cumsum([FIRST_HEARTBEAT_DAY, ...HEARTBEAT_GAPS]))

export const OUTAGES: readonly Outage[] = [
  {
    id: 'boskos.heartbeat',
    days: [...heartbeatDays, 105.3],
    hits: [4, 3, 2, 5, 3, 4, 3, 2, 4, 3, 2, 4, 3],
    change: {
      day: 62,
      title: 'Boskos runs with a high priority class and no persistent volume',
      link: 'https://bugzilla.redhat.com/show_bug.cgi?id=1750890',
    },
  },
  {
    // Back at full rate after its change.
    id: 'api.disruption',
    days: [
      2.6, 8.9, 14.3, 20.9, 26.4, 33.0, 39.6, 47.2, 53.3, 59.6, 65.0, 71.4, 77.1, 83.5, 89.3, 95.2, 101.6, 107.3, 113.4,
    ],
    hits: [3, 2, 2, 3, 2, 4, 2],
    change: {
      day: 45,
      title: 'Load balancer health checks of the API doubled in rate',
      link: 'https://bugzilla.redhat.com/show_bug.cgi?id=1943804',
    },
  },
  {
    // Silent after its change, since the step that wrote its line and its witness was renamed.
    id: 'mirror.mismatch',
    days: [5.8, 13.0, 19.8, 27.4, 34.2, 41.5, 48.3, 55.6, 62.4, 68.1],
    hits: [2, 3, 2],
    change: {
      day: 70,
      title: 'Images are mirrored by the new release-sync step',
      link: 'https://github.com/openshift/release/pull/21467',
    },
  },
  {
    // A long gap and nobody did anything.
    id: 'image.pull503',
    days: [3.4, 8.8, 16.1, 22.6, 29.9, 35.2, 43.7, 49.9, 57.4, 63.1],
    hits: [3, 2, 2, 3, 2],
  },
]

/** The step that `mirror.mismatch` comes from writes other lines from this day on. */
export const MIRROR_RENAMED_DAY = 70

/** One pull request that doesn't compile, retested without a new commit. */
export const RETESTED = { id: 'build.undefined', pull: 598, from: 84.1, to: 86, runs: 15 } as const

/** `dns.timeout` strikes runs by chance until its change, then no more. */
export const DNS_CHANGE = {
  day: 58,
  title: 'Build clusters run a DNS cache on every node',
  link: 'https://bugzilla.redhat.com/show_bug.cgi?id=1936587',
} as const

/** The pool of leases runs empty in bursts: mean days between them, runs of each (taken in turn). */
export const BURSTS = { id: 'lease.exhausted', everyDays: 2.6, hits: [2, 3, 2, 2, 4, 2, 1] } as const

export const NEAR_MISSES = [
  'kubelet-lease',
  'node-lease-route',
  'leader-election',
  'server-no-route',
  'span-eof',
  'grep-echo',
  'quoted-test-name',
  'nmos',
  'source-diff',
  'short-disruption',
] as const
export type NearMiss = (typeof NEAR_MISSES)[number]
