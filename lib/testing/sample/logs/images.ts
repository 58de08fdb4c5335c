import type { Planned } from '../plan.ts'
import { type Random, random } from '../random.ts'
import { sha256 } from '../words.ts'
import { failing, progressBar, pull503, type Said, succeeding } from './ci-operator.ts'
import { earlyFailure } from './phases.ts'

const PACKAGES = [
  'glibc',
  'openssl-libs',
  'systemd',
  'python3-libs',
  'krb5-libs',
  'gnutls',
  'util-linux',
  'tzdata',
  'jq',
]
const IMAGES = ['console-operator', 'hyperkube', 'cli', 'tests', 'deployer', 'haproxy-router', 'must-gather']

/** The build's raw output, which ci-operator prints as it is: no times, progress bars and CRLF from a container. */
export function buildOutput(run: Planned): string[] {
  const rng = random(run.seed, run.path, 'build')
  const lines = [
    `Cloning "https://github.com/${run.job.org}/${run.job.repo}" ...`,
    `\tCommit:\t${run.baseSha} (Merge pull request into ${run.job.branch})`,
    progressBar('Copying blob', rng),
  ]
  for (let step = 1, steps = rng.int(9, 14); step <= steps; step++) {
    lines.push(
      `STEP ${step}/${steps}: ${rng.pick(['RUN make build', 'COPY . .', 'ENV GOFLAGS=-mod=vendor', 'WORKDIR /go/src'])}`,
    )
    lines.push(`--> ${rng.hex(11)}`)
    for (let i = rng.int(2, 12); i > 0; i--) lines.push(output(rng))
  }
  return [...lines, ...compileFailure(run, rng)]
}

function output(rng: Random): string {
  const version = `${rng.int(1, 9)}.${rng.int(0, 40)}-${rng.int(1, 30)}.el9.x86_64`
  if (rng.chance(0.5)) return `  Installing       : ${rng.pick(PACKAGES)}-${version}\r`
  return `go: downloading github.com/openshift/${rng.pick(IMAGES)} v0.0.0-20260${rng.int(100, 930)}-${rng.hex(12)}`
}

function compileFailure(run: Planned, rng: Random): string[] {
  if (!run.plants.some(({ id }) => id === 'build.undefined')) return []
  return [
    '# github.com/openshift/console-operator/pkg/console/controllers/customization',
    `pkg/console/controllers/customization/controller.go:${118 + rng.int(0, 1) * 3}:21: undefined: configv1alpha1.ConsoleCustomization`,
    'make: *** [vendor/github.com/openshift/build-machinery-go/make/targets/golang/build.mk:16: build] Error 1',
    'error: build error: error building at STEP "RUN make build": error while running runtime: exit status 2',
  ]
}

/** What ci-operator says once the images are built. */
export function imagesSaid(run: Planned, from: number): Said[] {
  const rng = random(run.seed, run.path, 'mirror')
  const died = run.plants.find(({ fatal }) => fatal)
  const until = run.end - 5000
  const at = (share: number) => Math.floor(from + (until - from) * share)
  const said: Said[] = IMAGES.map((image, nth) => ({
    at: at(0.1 + nth * 0.03),
    level: 'info',
    msg: `Build ${image} succeeded after ${rng.int(1, 6)}m${rng.int(1, 59)}s`,
  }))
  if (run.plants.some(({ id }) => id === 'build.undefined')) {
    const why = `step [images] failed: the build ${run.job.repo} failed after ${rng.int(2, 5)}m${rng.int(1, 59)}s with reason DockerBuildFailed: Dockerfile build strategy has failed.`
    return [...said.slice(0, 1), ...failing(run, until - 3000, why, 'building_image')]
  }
  if (earlyFailure(run)) return []
  if (run.state === 'aborted') return said
  const own = died ?? (run.unexplained ? { id: run.unexplained, at: until - 5000 } : undefined)
  const failure = own && FAILURES[own.id]?.(run, own.at, rng)
  const begin = Math.min(at(0.4), (own?.at ?? until) - 20_000)
  return [...said, ...mirroring(run, begin, rng), ...(failure ?? succeeding(run, until))]
}

function mirroring(run: Planned, from: number, rng: Random): Said[] {
  const info = (at: number, msg: string): Said => ({ at, level: 'info', msg })
  if (!run.oldMirror) {
    return [
      info(from, 'release-sync: comparing 7 tags with quay.io/openshift/ci'),
      info(from + 4100, `release-sync: pushed ${rng.int(1, 7)} of 7 tags`),
    ]
  }
  const pushed = IMAGES.slice(0, 4).map((image, nth) =>
    info(from + 2000 + nth * 2100, `mirror sync: pushing quay.io/openshift/ci:${image}, digest ${sha256(rng)}`),
  )
  return [info(from, `mirror sync: checking manifests of ${IMAGES.length} images`), ...pushed]
}

const FAILURES: Readonly<Record<string, (run: Planned, at: number, rng: Random) => Said[]>> = {
  'mirror.mismatch': (run, at, rng) => [
    {
      at: at + rng.int(2, 50) * 1000,
      level: 'error',
      msg: `mirror sync: manifest of quay.io/openshift/ci:${rng.pick(IMAGES)} differs from its source: expected digest ${sha256(rng)}, registry returned ${sha256(rng)}`,
    },
    ...failing(run, at + 60_000, 'step [images] failed: mirroring images did not converge', 'executing_test'),
  ],
  'dns.timeout': (run, at, rng) => [
    { at, level: 'error', msg: `Could not push image: Get "https://quay.io/v2/": ${lookupTimeout('quay.io', rng)}` },
    ...failing(run, at + 3000, 'step [images] failed: mirroring images failed', 'executing_test'),
  ],
  'unknown.space': (run, at, rng) => [
    {
      at,
      level: 'error',
      msg: `Build ${rng.pick(IMAGES)} evicted: the node was low on resource ephemeral-storage, threshold quantity ${rng.int(9, 20)}Gi`,
    },
    ...failing(run, at + 1000, 'step [images] failed: a build pod was evicted', 'building_image'),
  ],
}

export function lookupTimeout(host: string, rng: Random): string {
  const from = `10.${rng.int(128, 131)}.${rng.int(0, 20)}.${rng.int(2, 250)}:${rng.int(30000, 60000)}`
  return `dial tcp: lookup ${host} on 172.30.0.10:53: read udp ${from}->172.30.0.10:53: i/o timeout`
}

/** `podinfo.json`'s event of a pod whose image never came. */
export const pullEvent = (run: Planned) => {
  const rng = random(run.seed, run.path, 'event')
  return pull503(`registry.${run.cluster}.ci.example.org/ci/ci-operator@${sha256(rng)}`)
}
