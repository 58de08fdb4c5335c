import { gzipSync } from 'node:zlib'
import { consoleLine, earlyFailureSaid, goLine, jsonLine, preparing } from './logs/ci-operator.ts'
import { clusterTest, type Texts } from './logs/cluster-test.ts'
import { e2eFailureText } from './logs/e2e.ts'
import { buildOutput, imagesSaid } from './logs/images.ts'
import { junit } from './logs/junit.ts'
import { kubetestLog } from './logs/kubetest.ts'
import { nearMissLines } from './logs/near-misses.ts'
import { earlyFailure, installerFailure } from './logs/phases.ts'
import { unitOutput } from './logs/unit.ts'
import type { Planned } from './plan.ts'
import { random } from './random.ts'
import { cloneLog, cloneRecordsJson, finishedJson, podinfoJson, prowjobJson, startedJson } from './records.ts'

/** One object of a run; `name` is its path below the run's directory. */
export interface SampleObject {
  readonly name: string
  readonly bytes: Buffer
}

const text = (lines: readonly string[]) => `${lines.join('\n')}\n`

/** Every object that Prow and its helpers uploaded for a run. */
export function runFiles(run: Planned): SampleObject[] {
  const texts: Texts = new Map()
  const finished = finishedJson(run)
  if (finished !== undefined) texts.set('finished.json', finished)
  texts.set('prowjob.json', prowjobJson(run))
  texts.set('podinfo.json', podinfoJson(run))
  const logged = run.shape !== 'died-before-logging' && run.shape !== 'only-prowjob'
  if (logged) {
    texts.set('started.json', startedJson(run))
    for (const [name, body] of logsOf(run)) texts.set(name, body)
  }
  return [...texts].map(([name, body]) => ({ name, bytes: stored(run, name, body) }))
}

function logsOf(run: Planned): Texts {
  const texts: Texts = new Map()
  if (run.job.style !== 'kubetest' && run.job.type !== 'periodic') {
    texts.set('clone-records.json', cloneRecordsJson(run))
    texts.set('clone-log.txt', cloneLog(run))
  }
  if (run.shape === 'clone-failed') return texts.set('build-log.txt', cloneLog(run))
  if (run.shape === 'pending') return texts
  for (const [name, body] of WRITERS[run.job.style](run)) texts.set(name, body)
  if (run.shape === 'no-build-log') texts.delete('build-log.txt')
  if (run.shape === 'empty-build-log') texts.set('build-log.txt', '')
  return texts
}

const WRITERS: Readonly<Record<Planned['job']['style'], (run: Planned) => Texts>> = {
  template: withJunit,
  steps: withJunit,
  images,
  unit: (run) => {
    const at = run.end - 60_000
    const said = [...preparing(run, run.start + 60_000).map(goLine), ...unitOutput(run, at)]
    return new Map([['build-log.txt', text(said)]])
  },
  kubetest: (run) => {
    const body = text(kubetestLog(run))
    if (run.shape !== 'container-build-logs') return new Map([['build-log.txt', body]])
    const sidecar = text(preparing(run, run.start + 60_000).map(goLine))
    return new Map([
      ['test-build-log.txt', body],
      ['docker-build-log.txt', sidecar],
    ])
  },
}

function withJunit(run: Planned): Texts {
  const texts = clusterTest(run)
  if (run.state === 'aborted' || earlyFailure(run) || installerFailure(run)) return texts
  const failure = e2eFailureText(run)
  const suite = 'openshift-tests'
  texts.set(`artifacts/junit/junit_e2e_${String(Math.floor(run.end / 1000)).slice(-6)}.xml`, junit(run, suite, failure))
  return texts
}

function images(run: Planned): Texts {
  const rng = random(run.seed, run.path, 'images')
  const early = earlyFailure(run)
  const built = run.start + Math.floor((run.end - run.start) * 0.3)
  const before = preparing(run, built)
  const after = early ? earlyFailureSaid(run, early.id, early.lineAt ?? early.at) : imagesSaid(run, built)
  const output = early ? [] : buildOutput(run)
  const near = nearMissLines(run, built, rng)
  return new Map([
    ['build-log.txt', text([...before.map(consoleLine), ...output, ...near, ...after.map(consoleLine)])],
    ['artifacts/ci-operator.log', text([...before, ...after].map(jsonLine))],
  ])
}

/** Bytes as stored: some logs are gzip under their plain name, a few are damaged or no UTF-8. */
function stored(run: Planned, name: string, body: string): Buffer {
  const rng = random(run.seed, run.path, 'stored')
  const zipped = rng.chance(0.12)
  const plain = Buffer.from(body, 'utf8')
  if (name === 'build-log.txt' && run.shape === 'truncated-gzip') {
    const whole = gzipSync(plain)
    return whole.subarray(0, Math.floor(whole.length * 0.7))
  }
  if (name === 'build-log.txt' && run.shape === 'raw-bytes') return Buffer.concat([plain, rawBytes(run)])
  const log = name === 'build-log.txt' || name.endsWith('/lease.log') || name.endsWith('/setup.log')
  return log && zipped ? gzipSync(plain) : plain
}

/** Latin-1 and NUL bytes, half a character at the end of a line, and one line of over 64 KiB. */
function rawBytes(run: Planned): Buffer {
  const rng = random(run.seed, run.path, 'raw')
  const long = `DATA ${Array.from({ length: 1200 }, () => rng.uuid()).join(',')},${'0123456789abcdef'.repeat(2048)}\n`
  return Buffer.concat([
    Buffer.from('caf\xe9 na\xefve \xff\xfe\n', 'latin1'),
    Buffer.from('before\0after\n\xe2\x82\n', 'latin1'),
    Buffer.from(long, 'utf8'),
  ])
}
