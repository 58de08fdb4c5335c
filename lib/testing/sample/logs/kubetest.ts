import type { Planned } from '../plan.ts'
import { type Random, random } from '../random.ts'
import { bootstrap, e2e, goLog } from '../times.ts'
import { testName } from '../words.ts'
import { nearMissLines } from './near-misses.ts'

/** Kubernetes' bootstrap: the time at which each line was read, its stream, and often the line's own time inside. */
export function kubetestLog(run: Planned): string[] {
  const rng = random(run.seed, run.path, 'kubetest')
  const { start, end } = run
  const out = (at: number, text: string) => `I${bootstrap(at)}] ${text}`
  const err = (at: number, text: string) => `W${bootstrap(at)}] ${text}`
  const lines = [
    out(
      start + 300,
      `Args: --job=${run.job.name} --service-account=/etc/service-account/service-account.json --repo=k8s.io/kubernetes`,
    ),
    out(start + 700, `Bootstrap ${run.job.name}...`),
    err(
      start + 2400,
      `Run: ('kubetest', '--provider=gce', '--gcp-zone=us-central1-${rng.pick(['b', 'c', 'f'])}', '--timeout=50m')`,
    ),
  ]
  const failure = failureLines(run, rng)
  if (run.plants[0]?.id === 'lease.exhausted') return [...lines, ...failure.map((text) => err(end - 60_000, text))]
  const count = run.state === 'failure' ? rng.int(260, 420) : rng.int(110, 190)
  for (let nth = 0; nth < count; nth++) {
    const at = Math.floor(start + 5000 + ((end - start - 120_000) * nth) / count)
    lines.push(...testLines(at, rng).map((text) => out(at + 12, text)))
  }
  const last = end - 90_000
  lines.push(...nearMissLines(run, last, rng).map((text) => err(last, text)))
  lines.push(...failure.map((text) => out(last + 400, text)))
  const passed = failure.length === 0
  lines.push(
    err(
      end - 9000,
      `${goLog(end - 9000)} process.go:155: Step './hack/ginkgo-e2e.sh' finished in ${Math.floor((end - start) / 60_000)}m3s`,
    ),
  )
  lines.push(passed ? out(end - 8000, 'process 231 exited with code 0 after 48.0m') : err(end - 8000, 'exit status 1'))
  return lines
}

function testLines(at: number, rng: Random): string[] {
  const name = testName(rng)
  const lines = [`\u001b[90m------------------------------\u001b[0m`, name]
  for (let i = rng.int(0, 3); i > 0; i--) {
    lines.push(
      `${e2e(at)}: INFO: Waiting up to 5m0s for pod "pod-${rng.uuid()}" in namespace "e2e-${rng.int(100, 9000)}" to be "success or failure"`,
    )
  }
  return [...lines, `\u001b[32m•\u001b[0m [${rng.int(5, 120)}.${rng.int(100, 999)} seconds]`]
}

function failureLines(run: Planned, rng: Random): string[] {
  const plant = run.plants[0]
  if (plant?.id === 'lease.exhausted') {
    const text = '--provider=gce boskos failed to acquire project: resources not found'
    return [`${goLog(plant.at)} main.go:331: Something went wrong: failed to prepare test environment: ${text}`]
  }
  if (plant?.id === 'e2e.condition_timeout') {
    const where = `github.com/kubernetes/kubernetes/test/e2e/framework/pods.go:${rng.int(80, 220)}`
    return [
      `fail [${where}]: ${e2e(plant.at)}: timed out waiting for the condition`,
      `\u001b[91m[Fail] \u001b[0m${testName(rng)}`,
    ]
  }
  if (!run.unexplained) return []
  return [
    `rsync: write failed on "/workspace/_artifacts/before": No space left on device (28), ${rng.int(1, 90)} files skipped`,
  ]
}
