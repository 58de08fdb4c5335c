import type { RunType } from '#lib/model/run.ts'

/**
 * How a job's logs look: `template` is the older one-pod test with a lease container, `steps` the multi-stage one,
 * `images` builds and mirrors images, `unit` runs Go tests, `kubetest` is Kubernetes' bootstrap.
 */
export type Style = 'template' | 'steps' | 'images' | 'unit' | 'kubetest'

export interface Job {
  readonly name: string
  readonly type: Exclude<RunType, 'batch'>
  readonly org: string
  readonly repo: string
  readonly branch: string
  readonly style: Style
  /** Cloud whose quota the runs lease from Boskos; those runs show the heartbeat witness. */
  readonly cloud?: 'aws' | 'gcp'
  /** ci-operator's name of the test: the directory below `artifacts/`. */
  readonly test: string
  /** Presubmits: the number of the newest pull request on day 0. */
  readonly firstPull?: number
  /** First id of a job that still counts; snowflakes where absent. */
  readonly firstId?: number
  readonly runsPerDay: number
  /** Shortest and longest ordinary run. */
  readonly minutes: readonly [number, number]
  /** Share of runs that are batches (presubmits only). */
  readonly batch?: number
}

const openshift = { org: 'openshift', branch: 'master' } as const

/** The default repository of the bucket: its presubmits lie in the single layout, `pr-logs/pull/<pr>/…`. */
export const DEFAULT_REPO = 'openshift/origin'

export const JOBS: readonly Job[] = [
  {
    ...openshift,
    name: 'pull-ci-openshift-installer-master-e2e-aws',
    firstPull: 2708,
    type: 'presubmit',
    repo: 'installer',
    style: 'template',
    cloud: 'aws',
    test: 'e2e-aws',
    runsPerDay: 1.8,
    minutes: [75, 135],
  },
  {
    ...openshift,
    name: 'pull-ci-openshift-machine-config-operator-master-e2e-gcp-op',
    firstPull: 1412,
    type: 'presubmit',
    repo: 'machine-config-operator',
    style: 'steps',
    cloud: 'gcp',
    test: 'e2e-gcp-op',
    runsPerDay: 1.3,
    minutes: [70, 120],
  },
  {
    ...openshift,
    name: 'release-openshift-origin-installer-e2e-aws-upgrade',
    type: 'periodic',
    repo: 'release',
    style: 'template',
    cloud: 'aws',
    test: 'e2e-aws-upgrade',
    firstId: 6702,
    runsPerDay: 1.6,
    minutes: [90, 150],
  },
  {
    ...openshift,
    name: 'periodic-ci-openshift-release-master-nightly-4.18-e2e-aws',
    type: 'periodic',
    repo: 'release',
    style: 'steps',
    cloud: 'aws',
    test: 'e2e-aws',
    runsPerDay: 1.6,
    minutes: [80, 140],
  },
  {
    ...openshift,
    name: 'periodic-ci-openshift-release-master-ci-4.18-e2e-gcp',
    type: 'periodic',
    repo: 'release',
    style: 'steps',
    cloud: 'gcp',
    test: 'e2e-gcp',
    runsPerDay: 1.4,
    minutes: [80, 130],
  },
  {
    ...openshift,
    name: 'pull-ci-openshift-origin-master-e2e-aws-fips',
    firstPull: 28075,
    type: 'presubmit',
    repo: 'origin',
    style: 'steps',
    cloud: 'aws',
    test: 'e2e-aws-fips',
    runsPerDay: 1.2,
    minutes: [80, 145],
    batch: 0.1,
  },
  {
    ...openshift,
    name: 'pull-ci-openshift-console-operator-master-images',
    firstPull: 430,
    type: 'presubmit',
    repo: 'console-operator',
    style: 'images',
    test: 'images',
    runsPerDay: 1.3,
    minutes: [9, 28],
  },
  {
    ...openshift,
    name: 'pull-ci-openshift-installer-master-unit',
    firstPull: 2708,
    type: 'presubmit',
    repo: 'installer',
    style: 'unit',
    test: 'unit',
    runsPerDay: 1.2,
    minutes: [8, 20],
    batch: 0.15,
  },
  {
    org: 'kubernetes',
    repo: 'kubernetes',
    branch: 'master',
    name: 'ci-kubernetes-e2e-gci-gce',
    type: 'periodic',
    style: 'kubetest',
    test: 'e2e',
    firstId: 48211,
    runsPerDay: 1.1,
    minutes: [45, 80],
  },
  {
    ...openshift,
    name: 'branch-ci-openshift-origin-master-images',
    type: 'postsubmit',
    repo: 'origin',
    style: 'images',
    test: 'images',
    runsPerDay: 1,
    minutes: [14, 40],
  },
]

export const CLUSTERS = ['build01', 'build02', 'build03', 'build05'] as const
