import type { Planned } from '../plan.ts'
import { type Random, random } from '../random.ts'
import { DAY, MINUTE } from '../story.ts'
import { goLog, rfc3339 } from '../times.ts'
import { sha256 } from '../words.ts'

const TAGS = [
  'cli',
  'console',
  'etcd',
  'hyperkube',
  'installer',
  'jenkins',
  'machine-os-content',
  'must-gather',
  'oauth-proxy',
  'operator-lifecycle-manager',
  'pod',
  'prometheus',
  'tests',
  'tools',
]

const dayOf = (ms: number) => rfc3339(ms).slice(0, 10).replaceAll('-', '')

type Level = 'info' | 'warning' | 'error'

/** What ci-operator says, before it is put in one of its forms. */
export interface Said {
  readonly at: number
  readonly level: Level
  readonly msg: string
  readonly error?: string
}

const COLOUR = { info: ['36', 'INFO'], warning: ['33', 'WARN'], error: ['31', 'ERRO'] } as const

/** The console form since April 2021: coloured level, padded message. */
export function consoleLine({ at, level, msg, error }: Said): string {
  const [colour, word] = COLOUR[level]
  const extra = error === undefined ? '' : ` \u001b[${colour}merror\u001b[0m=${error}`
  return `\u001b[${colour}m${word}\u001b[0m[${rfc3339(at)}] ${msg.padEnd(44)} ${extra}`
}

/** The older form: Go's log package. */
export const goLine = ({ at, msg, error }: Said) => `${goLog(at)} ${msg}${error === undefined ? '' : `: ${error}`}`

/** `artifacts/ci-operator.log`: JSON, `&` escaped as Go does. */
export function jsonLine({ at, level, msg, error }: Said): string {
  const text = JSON.stringify({
    component: 'ci-operator',
    ...(error !== undefined && { error }),
    level,
    msg,
    time: rfc3339(at),
  })
  return text.replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
}

/** Resolving, namespace, imports and builds: until `ready`. */
export function preparing(run: Planned, ready: number): Said[] {
  const rng = random(run.seed, run.path, 'ci-operator')
  const { job, start } = run
  const span = Math.max(1000, ready - start)
  const said: Said[] = []
  const info = (share: number, msg: string) => said.push({ at: Math.floor(start + span * share), level: 'info', msg })
  info(0.01, `ci-operator version v${dayOf(start - 2 * DAY)}-${rng.hex(9)}`)
  const refs = run.pulls.map(({ number, sha, author }) => `#${number} ${sha.slice(0, 8)} @${author}`).join(', ')
  const merging = refs ? `, merging: ${refs}` : ''
  info(
    0.02,
    `Resolved source https://github.com/${job.org}/${job.repo} to ${job.branch}@${run.baseSha.slice(0, 8)}${merging}`,
  )
  info(0.04, `Using namespace https://console.${run.cluster}.ci.example.org/k8s/cluster/projects/${run.namespace}`)
  info(0.05, `Running [input:root], src, [release:latest], ${job.test}`)
  const tags = rng.shuffle(TAGS).slice(0, rng.int(7, TAGS.length))
  for (const [nth, tag] of tags.entries()) {
    info(0.08 + (0.4 * nth) / tags.length, `Tagging ${job.org}/4.18:${tag} into stable:${tag}, digest ${sha256(rng)}`)
  }
  info(0.5, 'Building src')
  info(0.8, `Build src succeeded after ${rng.int(1, 3)}m${rng.int(1, 59)}s`)
  const created = start - rng.int(20, 900) * MINUTE
  const release = `4.18.0-0.nightly-${rfc3339(created).slice(0, 10)}-${rfc3339(created).slice(11, 19).replaceAll(':', '')}`
  const images = rng.int(168, 192)
  info(0.9, `Imported release ${release} created at ${rfc3339(created)} with ${images} images to tag release:latest`)
  return said
}

/** What ci-operator says of failures that came before the test, and the end it then makes. */
export function earlyFailureSaid(run: Planned, id: string, at: number): Said[] {
  const rng = random(run.seed, run.path, 'early')
  const { test, cloud } = run.job
  if (id === 'lease.exhausted') {
    const waited = Array.from({ length: 6 }, (_, nth) => ({
      at: at - (6 - nth) * 8 * MINUTE,
      level: 'info' as const,
      msg: `Waiting for a lease of type ${cloud}-quota-slice (${nth + 1} of 7 attempts)`,
    }))
    const total = rng.int(30, 70)
    return [
      { at: at - 49 * MINUTE, level: 'info', msg: `Acquiring leases for test ${test}: [${cloud}-quota-slice]` },
      ...waited,
      { at, level: 'error', msg: `Failed to acquire resource, current capacity: 0 free, ${total} leased` },
      ...failing(
        run,
        at + 2000,
        `step ${test} failed: failed to acquire lease: resources not found`,
        'utilizing_lease',
      ),
    ]
  }
  const image = `registry.${run.cluster}.ci.example.org/${run.namespace}/pipeline@${sha256(rng)}`
  const pod = run.job.style === 'images' ? 'src-build' : `${test}-ipi-install-install`
  return [
    { at: at - 30_000, level: 'info', msg: `Running step ${pod}.` },
    { at: at + 20_000, level: 'warning', msg: `Pod ${pod}: ${pull503(image)}` },
    { at: at + 90_000, level: 'warning', msg: `Pod ${pod}: Back-off pulling image "${image}"` },
    ...failing(
      run,
      at + 5 * MINUTE,
      `step ${test} failed: pod ${pod} did not start: its image could not be pulled`,
      'executing_test',
    ),
  ]
}

export const pull503 = (image: string) =>
  `Failed to pull image "${image}": rpc error: code = Unknown desc = reading manifest: received unexpected HTTP status: 503 Service Unavailable`

/** ci-operator's last words on a failed run. */
export function failing(run: Planned, at: number, why: string, reason: string): Said[] {
  return [
    { at, level: 'error', msg: 'Some steps failed:' },
    { at: at + 1, level: 'error', msg: `  * could not run steps: ${why}` },
    ...verdict(run, at + 900, `'failed' with reason 'executing_graph:step_failed:${reason}'`),
    ranFor(run, at + 1200),
  ]
}

export const succeeding = (run: Planned, at: number): Said[] => [
  ranFor(run, at),
  ...verdict(run, at + 300, "'succeeded'"),
]

const ranFor = (run: Planned, at: number): Said => ({
  at,
  level: 'info',
  msg: `Ran for ${Math.floor((at - run.start) / MINUTE)}m${Math.floor((at / 1000) % 60)}s`,
})

/** The older ci-operator didn't report its reasons. */
const verdict = (run: Planned, at: number, state: string): Said[] =>
  run.job.style === 'template' ? [] : [{ at, level: 'info', msg: `Reporting job state ${state}` }]

/** A registry's progress bar, redrawn in place. */
export function progressBar(what: string, rng: Random): string {
  const steps = Array.from({ length: 12 }, (_, nth) => {
    const done = Math.round(((nth + 1) / 12) * 30)
    return `${what} [${'='.repeat(done)}>${' '.repeat(30 - done)}] ${rng.int(1, 9)}${nth}.${rng.int(0, 9)} MB/s`
  })
  return `${steps.join('\r')}\r${what} done${' '.repeat(40)}`
}
