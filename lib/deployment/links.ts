import { readConfig } from '../config.ts'
import type { RunKey, RunRefs } from '../model/run.ts'
import { formatRunPath } from '../model/run-path.ts'
import type { RunLinks } from '../service/views.ts'
import { type Deployment, deploymentOf, loadDeployments } from './deployments.ts'

export interface LinkedRun extends RunKey {
  readonly job: string
  readonly buildId: string
  readonly refs?: RunRefs
}

/** A line of one of the run's logs, 1-based. */
export interface LinkAnchor {
  readonly log: string
  readonly line: number
}

let known: readonly Deployment[] | undefined

/** Where people look at a run, or at one line of it. The deployments are read once, at the first call. */
export function runLinks(run: LinkedRun, anchor?: LinkAnchor): RunLinks {
  known ??= loadDeployments(readConfig().deploymentsFile)
  return linksOf(known, run, anchor)
}

/** Deck's list of all runs of a pull request, where the bucket that holds some is shown by one. */
export function pullHistoryLink(
  bucket: string,
  pull: { readonly org: string; readonly repo: string; readonly number: number },
) {
  known ??= loadDeployments(readConfig().deploymentsFile)
  const deck = deploymentOf(known, bucket.slice(bucket.indexOf('://') + 3))?.deck
  const { org, repo, number } = pull
  return deck && `https://${deck}/pr-history/?${new URLSearchParams({ org, repo, pr: String(number) })}`
}

/** All names that a bucket has had, this one among them; without scheme. */
export function bucketNames(name: string): readonly string[] {
  known ??= loadDeployments(readConfig().deploymentsFile)
  return deploymentOf(known, name)?.buckets ?? [name]
}

/** The forms of Deck and gcsweb addresses are those of kubernetes-sigs/prow. */
export function linksOf(deployments: readonly Deployment[], run: LinkedRun, anchor?: LinkAnchor): RunLinks {
  const name = run.bucket.slice(run.bucket.indexOf('://') + 3)
  const deployment = deploymentOf(deployments, name)
  const pull =
    run.refs?.pulls.length === 1 ? pullLink(run.refs.org, run.refs.repo, run.refs.pulls[0]?.number) : undefined
  return {
    prowl: prowlLink(run, anchor),
    ...(deployment && placesOf(deployment, name, run, anchor)),
    ...(pull && { pull }),
  }
}

/** Undefined for what is not GitHub: Gerrit's `org` is an address. */
export function pullLink(org: string, repo: string, number: number | undefined): string | undefined {
  if (!/^[\w.-]+$/.test(org) || !/^[\w.-]+$/.test(repo) || number === undefined) return undefined
  return `https://github.com/${org}/${repo}/pull/${number}`
}

/** The server never sees a fragment: `line` chooses the window shown, `#L` the line in it. */
function prowlLink(run: RunKey, anchor: LinkAnchor | undefined): string {
  const page = `/runs/${formatRunPath(run)}`
  if (!anchor) return page
  return `${page}?${new URLSearchParams({ log: anchor.log, line: String(anchor.line) })}#L${anchor.line}`
}

function placesOf(
  { deck, gcsweb, storage, view, renamed, lens }: Deployment,
  name: string,
  run: LinkedRun,
  anchor: LinkAnchor | undefined,
): Partial<RunLinks> {
  // Browsers resolve dot segments however they are escaped: such a link would lead elsewhere.
  if (run.path.split('/').some(isDots)) return {}
  const bucket = encodeURIComponent(renamed[name] ?? name)
  const provider = view ?? storage
  const listing = storage === 's3' ? 's3' : 'gcs'
  return {
    ...(deck && {
      spyglass: `https://${deck}/view/${provider}/${bucket}/${escaped(run.path)}${lineFragment(lens, anchor)}`,
      jobHistory: `https://${deck}/job-history/${storage}/${bucket}/${escaped(historyPath(run))}`,
    }),
    ...(gcsweb && { artifacts: `https://${gcsweb}/${listing}/${bucket}/${escaped(folderOf(run.path, anchor))}/` }),
  }
}

/** Spyglass opens lines of build-log.txt only; its parser splits on `:` first, so the artifact's own is escaped. */
function lineFragment(lens: number, anchor: LinkAnchor | undefined): string {
  return anchor?.log === 'build-log.txt' ? `#${lens}:build-log.txt%3A${anchor.line}` : ''
}

/** Runs of pull requests are listed under a directory of pointers, others beside each other. */
function historyPath({ path, job }: LinkedRun): string {
  return path.startsWith('pr-logs/') ? `pr-logs/directory/${job}` : path.slice(0, path.lastIndexOf('/'))
}

/** The folder that holds the anchored log, else the run's. */
function folderOf(path: string, anchor: LinkAnchor | undefined): string {
  const end = anchor?.log.lastIndexOf('/') ?? -1
  const folder = end > 0 ? (anchor?.log.slice(0, end) ?? '') : ''
  return folder && !folder.split('/').some(isDots) ? `${path}/${folder}` : path
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..' || segment === ''
}

function escaped(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
