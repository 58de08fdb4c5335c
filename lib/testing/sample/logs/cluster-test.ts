import type { Planned } from '../plan.ts'
import { random } from '../random.ts'
import { MINUTE } from '../story.ts'
import {
  consoleLine,
  earlyFailureSaid,
  failing,
  goLine,
  jsonLine,
  preparing,
  type Said,
  succeeding,
} from './ci-operator.ts'
import { e2eLog } from './e2e.ts'
import { installerLog } from './installer.ts'
import { leaseLog } from './lease.ts'
import { nodeJournal } from './node.ts'
import { earlyFailure, installerFailure, type Phases, phases } from './phases.ts'

/** The text objects of a run, by name below the run's directory. */
export type Texts = Map<string, string>

interface Parts {
  readonly run: Planned
  readonly phase: Phases
  readonly lease: readonly string[]
  readonly installer: readonly string[]
  readonly e2e: readonly string[]
}

/** A test on a cluster of its own: ci-operator's log, and the containers' or steps'. */
export function clusterTest(run: Planned): Texts {
  const phase = phases(run)
  const parts: Parts = {
    run,
    phase,
    lease: leaseLog(run),
    installer: earlyFailure(run) ? [] : installerLog(run, phase),
    e2e: earlyFailure(run) || phase.installed === undefined ? [] : e2eLog(run, phase.installed, phase.tested),
  }
  return run.job.style === 'template' ? template(parts) : steps(parts)
}

const text = (lines: readonly string[]) => `${lines.join('\n')}\n`
const endsWell = (run: Planned) => run.state === 'success'
const leaseDied = (run: Planned) => run.plants.some(({ id, fatal }) => id === 'boskos.heartbeat' && fatal)

/** The older form: one pod, a container each for set-up, tests, lease; their logs are dumped into build-log.txt. */
function template(parts: Parts): Texts {
  const { run, phase, lease, installer, e2e } = parts
  const { test } = run.job
  const early = earlyFailure(run)
  const log = preparing(run, phase.prepared).map(goLine)
  const say = (at: number, msg: string) => log.push(goLine({ at, level: 'info', msg }))
  const ended = (at: number, container: string, well: boolean) =>
    say(
      at,
      `Container ${container} in pod ${test} ${well ? 'completed successfully' : 'failed, exit code 1, reason Error'}`,
    )
  if (early) log.push(...earlyFailureSaid(run, early.id, early.lineAt ?? early.at).map(goLine))
  else say(phase.prepared - 2000, `Executing pod "${test}" running image "src"`)
  if (!early && installerFailure(run)) {
    log.push(...installer)
    ended(phase.tested + 2000, 'setup', false)
  } else if (phase.installed !== undefined) {
    ended(phase.installed, 'setup', true)
  }
  if (leaseDied(run)) {
    log.push(...lease)
    ended(phase.tested + 7000, 'lease', false)
  } else if (e2e.length > 0) {
    log.push(...e2e)
    if (run.state !== 'aborted') ended(phase.tested + 4000, 'test', endsWell(run))
    if (lease.length > 0 && run.state !== 'aborted') ended(phase.tested + 5000, 'lease', true)
  }
  if (!early) log.push(...lastWords(run).map(goLine))
  const texts: Texts = new Map([['build-log.txt', text(log)]])
  if (lease.length > 0) texts.set(`artifacts/${test}/container-logs/lease.log`, text(lease))
  if (installer.length > 0 && !endsWell(run)) texts.set(`artifacts/${test}/container-logs/setup.log`, text(installer))
  return texts
}

function lastWords(run: Planned): Said[] {
  const { test } = run.job
  const at = run.end - 4000
  if (endsWell(run)) return succeeding(run, at)
  if (run.state === 'aborted')
    return [{ at: run.end - 1000, level: 'info', msg: 'Received signal, aborting: terminated' }]
  const reason = leaseDied(run) ? 'utilizing_lease' : 'utilizing_lease:executing_test'
  return failing(
    run,
    at,
    `step ${test} failed: the pod ${run.namespace}/${test} failed after ${Math.floor((run.end - run.start) / MINUTE)}m`,
    reason,
  )
}

interface Step {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly well: boolean
  readonly lines: readonly string[]
}

/** The multi-stage form: a log a step, ci-operator's own in colour and again as JSON lines. */
function steps(parts: Parts): Texts {
  const { run, phase } = parts
  const { test } = run.job
  const early = earlyFailure(run)
  const ran = early ? [] : stepsOf(parts)
  const said = [
    ...preparing(run, phase.prepared),
    ...(early ? earlyFailureSaid(run, early.id, early.lineAt ?? early.at) : ran.flatMap((step) => stepSaid(run, step))),
  ].sort((a, b) => a.at - b.at)
  const last = early ? [] : lastWords(run)
  const dump = leaseDied(run)
    ? [
        ...parts.lease,
        consoleLine({
          at: phase.tested + 7000,
          level: 'info',
          msg: `Container lease in pod ${test} failed, exit code 1, reason Error`,
        }),
      ]
    : []
  const quoted = ran.filter(({ well, lines }) => !well && lines.length > 0 && !leaseDied(run)).flatMap(quote)
  const texts: Texts = new Map([
    ['build-log.txt', text([...said.map(consoleLine), ...dump, ...quoted, ...last.map(consoleLine)])],
    ['artifacts/ci-operator.log', text([...said, ...last].map(jsonLine))],
  ])
  if (parts.lease.length > 0) texts.set(`artifacts/${test}/container-logs/lease.log`, text(parts.lease))
  for (const step of ran) writeStep(texts, run, step)
  return texts
}

function stepsOf({ run, phase, installer, e2e }: Parts): Step[] {
  const cut = run.state === 'aborted'
  const installed = phase.installed ?? phase.tested
  const died = leaseDied(run)
  const install: Step = {
    name: 'ipi-install-install',
    from: phase.prepared + 3000,
    to: installed,
    well: phase.installed !== undefined,
    lines: installer,
  }
  const tests: Step = {
    name: 'openshift-e2e-test',
    from: installed + 2000,
    to: phase.tested,
    well: endsWell(run),
    lines: e2e,
  }
  const gather: Step = {
    name: 'gather-extra',
    from: phase.tested + 2000,
    to: phase.tested + 90_000,
    well: true,
    lines: gatherLines(run),
  }
  const after = cut || died || phase.tested + 2 * MINUTE > run.end ? [] : [gather]
  return [install, ...(e2e.length > 0 ? [tests] : []), ...after]
}

function gatherLines(run: Planned): string[] {
  const rng = random(run.seed, run.path, 'gather')
  const kinds = [
    'nodes',
    'pods',
    'events',
    'clusterversion',
    'clusteroperators',
    'machineconfigpools',
    'persistentvolumes',
  ]
  return [
    'Gathering artifacts ...',
    ...kinds.map((kind) => `oc get ${kind} -o json: ${rng.int(2, 900)} KiB`),
    'Waiting for logs ...',
    'Done.',
  ]
}

function stepSaid(run: Planned, step: Step): Said[] {
  const name = `${run.job.test}-${step.name}`
  const took = `${Math.max(0, Math.floor((step.to - step.from) / MINUTE))}m${Math.floor((step.to / 1000) % 60)}s`
  const ended: Said = {
    at: step.to + 1000,
    level: step.well ? 'info' : 'error',
    msg: `Step ${name} ${step.well ? 'succeeded' : 'failed'} after ${took}.`,
  }
  return [{ at: step.from, level: 'info', msg: `Running step ${name}.` }, ended]
}

/** The top log quotes only a failed step's end. */
const quote = ({ name, lines }: Step) => [`Logs for container test in pod ${name}:`, ...lines.slice(-40), '---']

function writeStep(texts: Texts, run: Planned, step: Step): void {
  const dir = `artifacts/${run.job.test}/${step.name}`
  texts.set(`${dir}/build-log.txt`, text(step.lines))
  if (endsWell(run)) return
  texts.set(`${dir}/started.json`, JSON.stringify({ timestamp: Math.floor(step.from / 1000) }))
  texts.set(
    `${dir}/finished.json`,
    JSON.stringify({
      timestamp: Math.floor(step.to / 1000),
      passed: step.well,
      result: step.well ? 'SUCCESS' : 'FAILURE',
    }),
  )
  if (step.name === 'gather-extra') {
    const { node, lines } = nodeJournal(run, step.from)
    texts.set(`${dir}/artifacts/nodes/${node}/journal`, text(lines))
  }
}
