import type { Planned } from '../plan.ts'
import { type Random, random } from '../random.ts'
import { MINUTE } from '../story.ts'
import { e2e, monitor, rfc3339 } from '../times.ts'
import { apiHost, nodeName, OPERATORS, podName, testName } from '../words.ts'
import { nearMissLines } from './near-misses.ts'

/** The test container's or step's log while the tests ran, from `from` to `to` (epoch ms). */
export function e2eLog(run: Planned, from: number, to: number): string[] {
  const rng = random(run.seed, run.path, 'e2e')
  const failed = run.state === 'failure'
  const count = failed ? rng.int(170, 260) : rng.int(35, 70)
  const nearMissAt = rng.int(5, count - 2)
  const failures = failureLines(run, rng)
  const lines = opening(from, count)
  let next = 0
  for (let nth = 0; nth < count; nth++) {
    const at = Math.floor(from + ((to - from) * (nth + rng.unit() * 0.8)) / count)
    for (let failure = failures[next]; failure && failure.at <= at; failure = failures[++next])
      lines.push(...failure.lines)
    lines.push(...testLines(at, nth, count, rng))
    if (nth === nearMissAt) lines.push(...nearMissLines(run, at, rng))
    if (failed && rng.chance(0.25)) lines.push(...details(run, at, rng))
  }
  for (const failure of failures.slice(next)) lines.push(...failure.lines)
  return [...lines, ...closing(run, to, count)]
}

const opening = (from: number, count: number) => [
  '+ export KUBECONFIG=/tmp/artifacts/installer/auth/kubeconfig',
  `${e2e(from)}: INFO: Starting disruption monitor of the Kubernetes API`,
  `${e2e(from + 214)}: INFO: Waiting up to 30m0s for all (but 100) nodes to be schedulable`,
  `${e2e(from + 907)}: INFO: Cluster is ready, ${count} tests to run in 30 workers`,
]

function testLines(at: number, nth: number, count: number, rng: Random): string[] {
  const name = testName(rng)
  const seconds = `${rng.int(0, 240)}.${rng.int(0, 9)}s`
  const time = rfc3339(at + rng.int(100, 40_000)).slice(0, 19)
  const lines = [`started: (0/${nth + 1}/${count}) "${name}"`, '']
  if (rng.chance(0.06)) {
    const why =
      'skip [github.com/openshift/origin/test/extended/util/skipper.go:31]: this cluster has no such feature gate'
    return [...lines, why, '', `skipped: (${rng.int(100, 900)}ms) ${time} "${name}"`, '']
  }
  if (rng.chance(0.2)) lines.push(`${monitor(at + 90)} I ${monitored(rng)}`)
  return [...lines, `passed: (${seconds}) ${time} "${name}"`, '']
}

const monitored = (rng: Random) =>
  rng.chance(0.5)
    ? `ns/${podName(rng).replace('/', ' pod/')} node/${nodeName('aws', '', rng)} reason/Created`
    : `clusteroperator/${rng.pick(OPERATORS)} changed Progressing to ${rng.pick(['True', 'False'])}: ${rng.pick(['AsExpected', 'NodeInstaller', 'Deployment_Rollout'])}`

/** What a test prints of itself; only failing runs show it. */
function details(run: Planned, at: number, rng: Random): string[] {
  const cloud = run.job.cloud ?? 'gcp'
  const namespace = `e2e-test-${rng.name(5)}-${rng.name(5)}`
  const lines = [
    `${e2e(at)}: INFO: configPath is now "/tmp/configfile${rng.int(1e8, 9e8)}"`,
    `${e2e(at + 40)}: INFO: The user is now "${namespace}-user"`,
    `STEP: Building a namespace api object, basename ${namespace}`,
    `STEP: Waiting for a default service account to be provisioned in namespace`,
  ]
  for (let i = 0, count = rng.int(4, 16); i < count; i++) {
    const state = i < count - 1 ? `Pending', want it 'Running` : 'Running'
    lines.push(
      `${e2e(at + 60 + i * 2003)}: INFO: Waiting for pod '${podName(rng)}' on '${nodeName(cloud, run.namespace, rng)}': phase '${state}', readiness ${i === count - 1}, elapsed ${(i * 2.003).toFixed(3)}s`,
    )
  }
  return [...lines, `STEP: Destroying namespace "${namespace}" for this suite.`]
}

interface Failing {
  readonly at: number
  readonly lines: readonly string[]
}

function failureLines(run: Planned, rng: Random): Failing[] {
  const plants = run.plants.flatMap((plant) => {
    const write = WRITERS[plant.id]
    return write ? [write(run, plant.at, rng)] : []
  })
  const write = run.unexplained ? WRITERS[run.unexplained] : undefined
  const unexplained = write ? [write(run, run.end - 12 * MINUTE, rng)] : []
  return [...plants, ...unexplained].sort((a, b) => a.at - b.at)
}

const WRITERS: Readonly<Record<string, (run: Planned, at: number, rng: Random) => Failing>> = {
  'e2e.condition_timeout': (_, at, rng) => {
    const name = testName(rng)
    const where = `github.com/openshift/origin/test/extended/${rng.pick(['builds', 'networking', 'router', 'operators'])}/${rng.pick(['start', 'util', 'scoped', 'stress'])}.go:${rng.int(40, 480)}`
    return {
      at,
      lines: [
        `${e2e(at - 5000)}: INFO: At ${rfc3339(at - 31_000)} - event for ${podName(rng).split('/')[1]}: {kubelet } Unhealthy: Readiness probe failed`,
        `fail [${where}]: ${e2e(at)}: timed out waiting for the condition`,
        '',
        `failed: (${rng.int(2, 9)}m${rng.int(1, 59)}s) ${rfc3339(at).slice(0, 19)} "${name}"`,
        '',
      ],
    }
  },
  'api.disruption': (run, outage, rng) => {
    const lasted = rng.int(65, 260)
    const [began, ended] = [outage + rng.int(0, 20_000), outage + 21_000 + lasted * 1000]
    const host = apiHost(run.namespace, run.job.cloud ?? 'aws')
    return {
      at: ended,
      lines: [
        `${monitor(began)} E kube-apiserver Kube API started failing: Get "https://${host}:6443/api/v1/namespaces/kube-system?timeout=3s": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
        `${monitor(began + 3100)} I kube-apiserver Kube API is not responding to GET requests`,
        `${monitor(ended - 900)} I kube-apiserver Kube API started responding to GET requests`,
        `${e2e(ended)}: INFO: Kubernetes API was unreachable during disruption for at least ${Math.floor(lasted / 60)}m${lasted % 60}s of ${rng.int(31, 58)}m${rng.int(1, 59)}s`,
      ],
    }
  },
  'unknown.upgrade': (_, at, rng) => {
    const operator = rng.pick(['machine-config', 'etcd', 'monitoring'])
    return {
      at,
      lines: [
        `${e2e(at - 90_000)}: INFO: cluster upgrade is Progressing: Working towards 4.18.0-0.nightly: ${rng.int(600, 740)} of 751 done (${rng.int(79, 98)}% complete), waiting on ${operator}`,
        `${e2e(at)}: INFO: cluster upgrade is Failing: Cluster operator ${operator} has not yet reported success after ${rng.int(40, 70)} minutes`,
        `${e2e(at + 200)}: FAIL: the upgrade was not acknowledged before its deadline, giving up on ${operator}`,
      ],
    }
  },
  'unknown.node': (run, at, rng) => {
    const node = nodeName(run.job.cloud ?? 'aws', run.namespace, rng)
    return {
      at,
      lines: [
        `${monitor(at - 60_000)} E node/${node} changed Ready to Unknown: NodeStatusUnknown: the kubelet stopped posting node status`,
        `${e2e(at)}: FAIL: node "${node}" was rebooted ${rng.int(2, 5)} times by its machine config pool and never became schedulable again`,
      ],
    }
  },
}

function closing(run: Planned, to: number, count: number): string[] {
  const failed = run.state === 'failure' ? 1 : 0
  return [
    `Timeline: ${count} tests, ${e2e(to)}`,
    `${failed} fail, ${count - failed} pass, 0 skip (${Math.floor((run.end - run.start) / MINUTE)}m12s)`,
    ...(failed ? ['error: failed because an invariant was violated or a test failed'] : []),
  ]
}

/** The lines by which a failure shows in JUnit. */
export function e2eFailureText(run: Planned): string[] {
  const rng = random(run.seed, run.path, 'junit')
  return failureLines(run, rng).flatMap(({ lines }) => [...lines])
}
