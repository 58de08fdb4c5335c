import type { Planned } from '../plan.ts'
import type { Random } from '../random.ts'
import type { NearMiss } from '../story.ts'
import { e2e, goLog, journal, klog, rfc3339 } from '../times.ts'
import { nodeName, region } from '../words.ts'

/** Lines that look like a signature's and are something else, written at `at` (epoch ms). */
export function nearMissLines(run: Planned, at: number, rng: Random): string[] {
  return run.nearMisses.map((kind) => WRITERS[kind](run, at, rng))
}

const WRITERS: Readonly<Record<NearMiss, (run: Planned, at: number, rng: Random) => string>> = {
  'kubelet-lease': (run, at, rng) => {
    const node = nodeName(run.job.cloud ?? 'aws', run.namespace, rng)
    const url = `https://api-int.${run.namespace}-${rng.hex(5)}.ci.example.org:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}?timeout=10s`
    return `${journal(at)} ${node.split('.')[0]} kubenswrapper[${rng.int(1900, 2600)}]: E${klog(at)}    2478 controller.go:195] "Failed to update lease" err="Put \\"${url}\\": dial tcp 10.0.${rng.int(0, 90)}.68:6443: connect: connection refused"`
  },
  'node-lease-route': (_, at, rng) =>
    `E${klog(at)}   ${rng.int(10000, 19999)} controller.go:135] failed to ensure node lease exists, will retry in 7s, error: Get https://192.0.2.${rng.int(2, 250)}:8443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1?timeout=10s: dial tcp 192.0.2.52:8443: connect: no route to host`,
  'leader-election': (_, at) =>
    `E${klog(at)}       1 leaderelection.go:340] "Failed to update lock" err="failed to renew lease kube-system/kube-controller-manager: timed out waiting for the condition"`,
  'server-no-route': (_, _at, rng) =>
    `Unable to connect to the server: dial tcp 192.0.2.${rng.int(2, 250)}:6443: connect: no route to host`,
  'span-eof': (_, at) => `${goLog(at)} failed to send the request: Post http://localhost:9411/api/v2/spans: EOF`,
  'grep-echo': () => "+ grep -c 'failed to send heartbeat for resource' /tmp/artifacts/container-logs/lease.log",
  'quoted-test-name': (_, at, rng) =>
    `passed: (${rng.int(1, 30)}.${rng.int(0, 9)}s) ${rfc3339(at).slice(0, 19)} "[sig-network] clients should retry on dial tcp 10.0.0.1:80: connect: no route to host and report failed to update lease [Suite:openshift/conformance/parallel]"`,
  nmos: (_, _at, rng) => `Error: Failed to send heartbeat for resource ID ${rng.uuid()}: 404 Not Found. Response: {}`,
  'source-diff': () =>
    '+\tfmt.Fprintf(cmd.ErrOrStderr(), "failed to send heartbeat for resource %q: %v\\n", resource.Name, err)',
  'short-disruption': (run, at, rng) =>
    `${e2e(at)}: INFO: Kubernetes API was unreachable during disruption for at least ${rng.int(3, 55)}s of ${rng.int(31, 58)}m${rng.int(1, 59)}s in ${region(run.job.cloud ?? 'aws', rng)}, this is within the allowed share`,
}
