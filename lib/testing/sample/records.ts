import { pullEvent } from './logs/images.ts'
import type { Planned } from './plan.ts'
import { random } from './random.ts'
import { rfc3339 } from './times.ts'

/** The bucket's name in pointers and URLs, whatever the directory is called. */
export const BUCKET = 'origin-ci-test'

const seconds = (ms: number) => Math.floor(ms / 1000)
const BY_CRIER = new Set(['crier-aborted', 'died-before-logging', 'only-prowjob'])
const byCrier = (run: Planned) => run.shape !== undefined && BY_CRIER.has(run.shape)

/** `org/repo` → `base:sha,number:sha,…`, as started.json names what was merged. */
const repos = ({ job, baseSha, pulls }: Planned) => ({
  [`${job.org}/${job.repo}`]: [`${job.branch}:${baseSha}`, ...pulls.map(({ number, sha }) => `${number}:${sha}`)].join(
    ',',
  ),
})

export function startedJson(run: Planned): string {
  const timestamp = seconds(run.start)
  const [pull] = run.pulls
  if (byCrier(run))
    return tabbed({
      timestamp,
      ...(pull && { pull: String(pull.number) }),
      repos: repos(run),
      metadata: { uploader: 'crier' },
    })
  if (run.job.style === 'kubetest') {
    const version = `v1.32.0-alpha.0.261+${run.baseSha.slice(0, 14)}`
    return JSON.stringify(
      {
        node: `node-${run.buildId.slice(-2)}`,
        pull: null,
        'repo-version': version,
        timestamp,
        repos: { 'k8s.io/kubernetes': 'master' },
        version,
      },
      null,
      2,
    )
  }
  if (run.job.type === 'periodic') return JSON.stringify({ timestamp })
  return JSON.stringify({
    timestamp,
    ...(pull && { pull: String(pull.number) }),
    repos: repos(run),
    'repo-commit': run.baseSha,
  })
}

/** As pod-utils or crier wrote it; undefined where nobody did. */
export function finishedJson(run: Planned): string | undefined {
  const timestamp = seconds(run.end)
  const passed = run.state === 'success'
  const result = { success: 'SUCCESS', failure: 'FAILURE', aborted: 'ABORTED', error: 'FAILURE' }[run.state]
  switch (run.shape) {
    case 'pending':
    case 'lost':
    case 'only-prowjob':
      return undefined
    case 'finished-without-time':
      return JSON.stringify({ passed, result })
    case 'passed-null':
      return JSON.stringify({ timestamp, passed: null, result })
    case 'finished-not-json':
      return `{"timestamp": ${timestamp}, "pas`
    case 'crier-aborted':
    case 'died-before-logging':
      return tabbed({ timestamp, passed, metadata: { uploader: 'crier' }, result: run.state })
  }
  const metadata = { pod: `${run.job.test}-${run.buildId}`, 'work-namespace': run.namespace }
  return JSON.stringify({ timestamp, passed, result, revision: run.pulls[0]?.sha ?? run.baseSha, metadata })
}

export function prowjobJson(run: Planned): string {
  const { job, pulls } = run
  const rng = random(run.seed, run.path, 'prowjob')
  const done = run.shape !== 'pending' && run.shape !== 'lost'
  const refs = {
    org: job.org,
    repo: job.repo,
    base_ref: job.branch,
    base_sha: run.baseSha,
    ...(pulls.length > 0 && { pulls }),
  }
  return tabbed({
    kind: 'ProwJob',
    apiVersion: 'prow.k8s.io/v1',
    metadata: { name: rng.uuid(), namespace: 'ci', labels: { 'prow.k8s.io/type': run.type } },
    spec: {
      type: run.type,
      agent: 'kubernetes',
      cluster: run.cluster,
      job: job.name,
      ...(job.type !== 'periodic' && { refs }),
    },
    status: {
      startTime: rfc3339(run.start - 4000),
      pendingTime: rfc3339(run.start - 1000),
      ...(done && { completionTime: rfc3339(run.end) }),
      state: done ? run.state : 'pending',
      ...(done && { description: describe(run) }),
      url: `https://prow.ci.openshift.org/view/gs/${BUCKET}/${run.path}`,
      pod_name: rng.uuid(),
      build_id: run.buildId,
    },
  })
}

function describe(run: Planned): string {
  if (run.unexplained === 'unknown.scheduling') return 'Pod scheduling timeout.'
  if (run.state === 'error') return 'Pod got stuck in pending: ErrImagePull'
  return { success: 'Job succeeded.', failure: 'Job failed.', aborted: 'Aborted by trigger plugin.' }[run.state]
}

export function podinfoJson(run: Planned): string {
  const message =
    run.unexplained === 'unknown.scheduling'
      ? '0/38 nodes are available: 3 node(s) had taint {node-role.kubernetes.io/master: }, 35 Insufficient memory.'
      : run.state === 'error'
        ? pullEvent(run)
        : 'Successfully assigned the pod to a node'
  const reason =
    run.unexplained === 'unknown.scheduling' ? 'FailedScheduling' : run.state === 'error' ? 'Failed' : 'Scheduled'
  const events = [
    {
      type: reason === 'Scheduled' ? 'Normal' : 'Warning',
      reason,
      message,
      firstTimestamp: rfc3339(seenAt(run)),
      lastTimestamp: rfc3339(seenAt(run)),
      count: 1,
    },
  ]
  return tabbed({
    pod: {
      metadata: { name: run.buildId, namespace: 'ci' },
      status: { phase: run.state === 'error' ? 'Pending' : 'Succeeded' },
    },
    events,
  })
}

const seenAt = (run: Planned) => (run.plants[0]?.at ?? run.start) + 9000

export function cloneRecordsJson(run: Planned): string {
  const failed = run.shape === 'clone-failed'
  const commands = cloneCommands(run).map(({ command, output }) => ({
    command,
    output,
    ...(failed && { error: 'exit status 128' }),
    duration: 1_234_567_890,
  }))
  const refs = {
    org: run.job.org,
    repo: run.job.repo,
    base_ref: run.job.branch,
    base_sha: run.baseSha,
    pulls: run.pulls,
  }
  return JSON.stringify([
    { refs, commands, ...(failed && { failed: true }), final_sha: run.baseSha, duration: 8_812_345_678 },
  ])
}

/** clone-log.txt, and the build-log.txt of a run whose clone failed. */
export function cloneLog(run: Planned): string {
  const lines = cloneCommands(run).map(({ command, output }) => `$ ${command}\n${output}`)
  return `# Cloning ${run.job.org}/${run.job.repo} at ${run.job.branch}(${run.baseSha})\n${lines.join('')}`
}

function cloneCommands(run: Planned): { command: string; output: string }[] {
  const url = `https://github.com/${run.job.org}/${run.job.repo}.git`
  const fetched = `From ${url.slice(0, -4)}\n * branch            ${run.job.branch}     -> FETCH_HEAD\n`
  const merges = run.pulls.map(({ number, sha }) => ({
    command: `git merge --no-ff --no-stat -m merge ${sha}`,
    output:
      run.shape === 'clone-failed'
        ? `Auto-merging go.mod\nCONFLICT (content): Merge conflict in go.mod\nAutomatic merge of #${number} failed; fix conflicts and then commit the result.\n`
        : "Merge made by the 'ort' strategy.\n",
  }))
  return [
    { command: 'mkdir -p /go/src && git init /go/src', output: 'Initialized empty Git repository in /go/src/.git/\n' },
    { command: `git fetch ${url} --tags --prune`, output: fetched },
    ...merges,
  ]
}

/** Two-space indents are pod-utils' and bootstrap's; crier writes tabs. */
const tabbed = (value: unknown) => JSON.stringify(value, null, '\t')
