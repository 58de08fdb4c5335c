import {
  decoded,
  parseBuildAddress,
  parseRunAddress,
  pastedAddress,
  placeAt,
  type RunAddress,
} from '../deployment/run-address.ts'
import { bugName } from '../evidence/bug-key.ts'

export interface Pull {
  readonly org: string
  readonly repo: string
  readonly number: number
}

/**
 * What a text in the box names. `number`: a pull request or a bug, as GitHub counts both alike. `id`: a build id, or the
 * number of a bug. A bug that is not `sure` may as well be a pattern (`no-1`).
 */
export type BoxText =
  | { readonly kind: 'run'; readonly address: RunAddress }
  | { readonly kind: 'build'; readonly job: string; readonly buildId: string }
  | { readonly kind: 'job'; readonly job: string }
  | { readonly kind: 'pull'; readonly pull: Pull }
  | { readonly kind: 'number'; readonly pull: Pull; readonly bug: string }
  | { readonly kind: 'id'; readonly buildId: string; readonly bug?: string }
  | { readonly kind: 'bug'; readonly bug: string; readonly sure: boolean }
  | { readonly kind: 'pattern' }

const NAME = '[\\w.-]{1,100}'
const NUMBERED = new RegExp(`^(${NAME})/(${NAME})#(\\d{1,10})$`)
const PULL = new RegExp(`^/*(${NAME})/(${NAME})/pull/(\\d{1,10})(?:/|$)`)
const PAGE = new RegExp(`^/pr/(${NAME})/(${NAME})/(\\d{1,10})/?$`)

/** Reads a text by its form alone; anything that has none of them is a pattern. */
export function parseBox(text: string): BoxText {
  const given = pastedAddress(text)
  const address = parseRunAddress(given)
  if (address) return { kind: 'run', address }
  const build = parseBuildAddress(given)
  if (build) return { kind: 'build', ...build }
  const pull = pullAt(given)
  if (pull) return { kind: 'pull', pull }
  const job = jobAt(given)
  if (job !== undefined) return { kind: 'job', job }
  const bug = bugName(given)
  if (/^\d{1,20}$/.test(given)) return { kind: 'id', buildId: given, ...(bug !== undefined && { bug }) }
  const numbered = pullOf(NUMBERED.exec(given))
  if (numbered && bug !== undefined) return { kind: 'number', pull: numbered, bug }
  return bug === undefined ? { kind: 'pattern' } : { kind: 'bug', bug, sure: isSure(given) }
}

/** `org/repo#12` of a pull request; undefined for anything else. */
export function parsePull(text: string): Pull | undefined {
  return pullOf(NUMBERED.exec(text))
}

/** An address, or a name that trackers alone give: `bz1750890`, `OCPBUGS-123`. */
function isSure(text: string): boolean {
  return /^(?:bz|rhbz)[\s:#-]*\d/i.test(text) || /^https?:/i.test(text) || /^[A-Z]{4,}\d*-\d{2,}$/.test(text)
}

/** GitHub's page of a pull request, Deck's history of it, prowl's page, and its folder in a bucket. */
function pullAt(text: string): Pull | undefined {
  const short = /^[\w.-]+\/[\w.-]+\/pull\/\d+$/.test(text) ? pullOf(PULL.exec(`/${text}`)) : undefined
  const url = URL.parse(text)
  if (short || !url) return short
  if (/^\/+pr-history\/*$/.test(url.pathname)) {
    const [org, repo, number] = ['org', 'repo', 'pr'].map((name) => url.searchParams.get(name) ?? '')
    return pullOf(NUMBERED.exec(`${org}/${repo}#${number}`))
  }
  const folder = placeAt(bareOf(text))?.path
  // A layout without org and repository leaves open whose number it is.
  const inFolder = folder && /^pr-logs\/pull\/([^/_]+)_([^/]+)\/(\d{1,10})(?:\/|$)/.exec(folder)
  if (inFolder) return pullOf(inFolder)
  return /^https?:$/.test(url.protocol) ? pullOf(PAGE.exec(url.pathname) ?? PULL.exec(url.pathname)) : undefined
}

/** Deck's history of a job, prowl's page of it, and its folder. */
function jobAt(text: string): string | undefined {
  const bare = bareOf(text)
  const page = /^https?:\/\/[^/]+\/jobs\/([^/]+)\/?$/.exec(bare)?.[1]
  if (page) return decoded(page)
  const folder = placeAt(bare.replace(/\/job-history\/+(?:(?:gs|s3)\/+)?/, '/view/'))?.path
  return folder && /^(?:logs|pr-logs\/directory)\/([^/]+)\/?$/.exec(folder)?.[1]
}

function bareOf(text: string): string {
  return text.split(/[?#]/, 1)[0] ?? ''
}

function pullOf(match: RegExpExecArray | null): Pull | undefined {
  const [, org, repo, number] = match ?? []
  return org && repo && number && Number(number) > 0 ? { org, repo, number: Number(number) } : undefined
}
