import type { Planned } from '../plan.ts'
import { type Random, random } from '../random.ts'
import { MINUTE } from '../story.ts'
import { rfc3339 } from '../times.ts'
import { apiHost, OPERATORS, region } from '../words.ts'
import { installerFailure, type Phases } from './phases.ts'

/** openshift-install's log from `phase.prepared` until the cluster stands or the install fails. */
export function installerLog(run: Planned, phase: Phases): string[] {
  const rng = random(run.seed, run.path, 'installer')
  const end = phase.installed ?? phase.tested
  const failure = installerFailure(run)
  const untimed = run.job.style === 'steps'
  const log = new Writer(untimed)
  const span = end - phase.prepared
  const at = (share: number) => Math.floor(phase.prepared + span * share)
  log.add(at(0), 'debug', `OpenShift Installer v4.18.0-202${rng.int(5, 6)}0${rng.int(1, 9)}1${rng.int(0, 9)}`)
  log.add(at(0.01), 'info', `Credentials loaded from the "default" profile in file "/etc/openshift-installer/.awscred"`)
  log.add(at(0.02), 'info', 'Creating infrastructure resources...')
  if (failure?.id === 'cloud.quota') return [...log.lines, ...quota(run, failure.at, rng)]
  resources(log, at, rng)
  const host = apiHost(run.namespace, run.job.cloud ?? 'aws')
  log.add(at(0.3), 'info', `Waiting up to 20m0s for the Kubernetes API at https://${host}:6443...`)
  const polls = failure ? 40 : rng.int(8, 20)
  for (let i = 0; i < polls; i++) {
    const why = `Get https://${host}:6443/version?timeout=32s: dial tcp 192.0.2.${rng.int(2, 250)}:6443: connect: connection refused`
    log.add(at(0.3 + (0.25 * i) / polls), 'debug', `Still waiting for the Kubernetes API: ${why}`)
  }
  if (failure?.id === 'dns.timeout') return [...log.lines, ...dns(run, host, failure.at, rng)]
  log.add(at(0.56), 'info', 'API v1.31.3 up')
  log.add(at(0.57), 'info', 'Waiting up to 30m0s for bootstrapping to complete...')
  if (failure) return [...log.lines, ...bootstrapTimeout(failure.at, rng)]
  return phase.installed === undefined ? log.lines : [...log.lines, ...progress(untimed, at, rng)]
}

type Level = 'debug' | 'info' | 'error' | 'fatal'
const line = (at: number | undefined, level: Level, msg: string) =>
  `${at === undefined ? '' : `time="${rfc3339(at)}" `}level=${level} msg=${JSON.stringify(msg)}`

/** logrus without a terminal; the multi-stage step prints no times. */
class Writer {
  readonly lines: string[] = []
  readonly #untimed: boolean

  constructor(untimed: boolean) {
    this.#untimed = untimed
  }

  add(at: number, level: Level, msg: string): void {
    this.lines.push(line(this.#untimed ? undefined : at, level, msg))
  }
}

const PARTS = ['vpc', 'bootstrap', 'masters', 'dns', 'iam']
const KINDS = [
  'route_table',
  'subnet',
  'security_group_rule',
  'instance',
  'lb_target_group',
  'record',
  'iam_role_policy',
]

function resources(log: Writer, at: (share: number) => number, rng: Random): void {
  for (let i = 0; i < 36; i++) {
    const what = `module.${rng.pick(PARTS)}.${rng.pick(KINDS)}.${rng.name(4)}[${rng.int(0, 5)}]`
    log.add(at(0.03 + i * 0.007), 'debug', `${what}: Creating...`)
    if (rng.chance(0.4))
      log.add(at(0.03 + i * 0.007 + 0.001), 'debug', `${what}: Still creating... [${rng.int(1, 4)}0s elapsed]`)
    log.add(
      at(0.03 + i * 0.007 + 0.003),
      'debug',
      `${what}: Creation complete after ${rng.int(1, 42)}s [id=${rng.pick(['sg', 'i', 'rtb', 'subnet'])}-0${rng.hex(16)}]`,
    )
  }
}

function progress(untimed: boolean, at: (share: number) => number, rng: Random): string[] {
  const log = new Writer(untimed)
  log.add(at(0.7), 'debug', 'Bootstrap status: complete')
  log.add(at(0.71), 'info', 'Destroying the bootstrap resources...')
  for (let i = 0; i < 14; i++) {
    const left = rng.shuffle(OPERATORS).slice(0, Math.max(1, 7 - Math.floor(i / 2)))
    log.add(
      at(0.75 + i * 0.017),
      'debug',
      `Still waiting for the cluster to initialize: Some cluster operators are still updating: ${left.join(', ')}`,
    )
  }
  log.add(at(1), 'info', 'Install complete!')
  return log.lines
}

function bootstrapTimeout(at: number, rng: Random): string[] {
  return [
    line(at - 2 * MINUTE, 'debug', 'Fetching bootstrap logs from the bootstrap machine'),
    line(
      at - MINUTE,
      'error',
      `Cluster operator ${rng.pick(OPERATORS)} Degraded is True with Installer_Error: ${rng.int(1, 3)} nodes are at revision 0`,
    ),
    line(at, 'error', 'Bootstrap failed to complete: timed out after 30m0s waiting for the bootstrap-complete event'),
    line(at + 400, 'fatal', 'Bootstrap failed to complete'),
  ]
}

function quota(run: Planned, at: number, rng: Random): string[] {
  const where = region(run.job.cloud ?? 'aws', rng)
  const message =
    run.job.cloud === 'gcp'
      ? `googleapi: Error 403: Quota '${rng.pick(['CPUS', 'IN_USE_ADDRESSES', 'SSD_TOTAL_GB'])}' exceeded. Limit: ${rng.int(2, 9)}00.0 in region ${where}., quotaExceeded`
      : `VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of ${rng.int(5, 30)}00 allows in ${where}`
  return [
    line(at, 'error', `Error: Error creating instance: ${message}`),
    line(
      at + 300,
      'error',
      '  on ../tmp/openshift-install-terraform/main.tf line 12, in resource "instance" "master":',
    ),
    line(
      at + 900,
      'fatal',
      'failed to fetch Cluster: failed to generate asset "Cluster": failed to create cluster: failed to apply using Terraform',
    ),
  ]
}

function dns(run: Planned, host: string, at: number, rng: Random): string[] {
  const resolver = `172.30.0.10:53`
  const why = `dial tcp: lookup ${host} on ${resolver}: read udp 10.${rng.int(128, 131)}.${rng.int(0, 20)}.${rng.int(2, 250)}:${rng.int(30000, 60000)}->${resolver}: i/o timeout`
  return [
    line(
      at,
      'error',
      `Attempted to gather ClusterOperator status after wait failure: Get "https://${host}:6443/apis/config.openshift.io/v1/clusteroperators": ${why}`,
    ),
    line(
      at + 700,
      'fatal',
      `waiting for Kubernetes API: context deadline exceeded in ${region(run.job.cloud ?? 'aws', rng)}`,
    ),
  ]
}
