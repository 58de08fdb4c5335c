import { runLinks } from '../deployment/links.ts'
import type { RunAddress } from '../deployment/run-address.ts'
import type { Run } from '../model/run.ts'
import { type BoxText, type Pull, parseBox } from './box.ts'
import { signaturesOf } from './bug.ts'
import type { Context } from './context.ts'
import { type NamedRun, type UnreadRun, unreadRun } from './unread.ts'

/** Runs listed where a build id is that of several. */
const CHOICES = 20

/** Where a text in the box leads. */
export type Jump =
  | { readonly kind: 'page'; readonly page: string }
  /** It may mean any of these. */
  | { readonly kind: 'choices'; readonly choices: readonly Choice[] }
  | { readonly kind: 'unread'; readonly unread: UnreadRun }
  /** It names nothing: it is searched. */
  | { readonly kind: 'pattern' }

export interface Choice {
  readonly page: string
  /** Absent: of a bug or a pull request, `title` says of which. */
  readonly run?: Run
  readonly title: string
}

/**
 * The page that a text opens. `addressesOnly`: only what is unmistakable, where a number or a word is more likely to be
 * searched for.
 */
export async function jump(ctx: Context, text: string, { addressesOnly = false } = {}): Promise<Jump> {
  const named = parseBox(text)
  if (addressesOnly && !isAddress(named, text)) return { kind: 'pattern' }
  switch (named.kind) {
    case 'run':
    case 'build':
      return await runJump(ctx, named)
    case 'id':
      return await idJump(ctx, named)
    case 'job':
      return page(`/jobs/${encodeURIComponent(named.job)}`)
    case 'pull':
      return page(pullPage(named.pull))
    case 'number':
      return await numberJump(ctx, named)
    case 'bug':
      return named.sure || (await isNamed(ctx, named.bug)) ? page(bugPage(named.bug)) : { kind: 'pattern' }
    case 'pattern':
      return { kind: 'pattern' }
  }
}

/** The runs that a text names, read or not; undefined where it names something else. */
export async function namedRuns(
  ctx: Context,
  text: string,
): Promise<{ readonly runs: readonly Run[]; readonly named: NamedRun } | undefined> {
  const box = parseBox(text)
  if (box.kind === 'run') return { runs: await runsAt(ctx, box.address), named: nameOf(box.address) }
  if (box.kind === 'build') return { runs: await buildsOf(ctx, box), named: { job: box.job, buildId: box.buildId } }
  if (box.kind === 'id') return { runs: await buildsOf(ctx, box), named: { buildId: box.buildId } }
  return undefined
}

export function pullPage({ org, repo, number }: Pull): string {
  return `/pr/${encodeURIComponent(org)}/${encodeURIComponent(repo)}/${number}`
}

type Named<K extends BoxText['kind']> = Extract<BoxText, { readonly kind: K }>

async function runJump(ctx: Context, named: Named<'run' | 'build'>): Promise<Jump> {
  const found = named.kind === 'run' ? await runsAt(ctx, named.address) : await buildsOf(ctx, named)
  const address = named.kind === 'run' ? named.address : undefined
  const [run, ...others] = found
  if (others.length > 0) return { kind: 'choices', choices: found.map((each) => choiceOf(each, address)) }
  if (run) return page(pageOf(run, address))
  const name = named.kind === 'run' ? nameOf(named.address) : { job: named.job, buildId: named.buildId }
  return { kind: 'unread', unread: await unreadRun(ctx, name) }
}

/** A number may be a build's, of several jobs, and a bug's. */
async function idJump(ctx: Context, { buildId, bug }: Named<'id'>): Promise<Jump> {
  const [runs, isBug] = await Promise.all([buildsOf(ctx, { buildId }), bug !== undefined && isNamed(ctx, bug)])
  const bugs = isBug && bug !== undefined ? [{ page: bugPage(bug), title: `bug ${bug.replace(/^bz/, '')}` }] : []
  const choices = [...runs.map((run) => choiceOf(run)), ...bugs]
  const [first, second] = choices
  if (second) return { kind: 'choices', choices }
  if (first) return page(first.page)
  // No bug has a number this long.
  return bug === undefined ? { kind: 'unread', unread: await unreadRun(ctx, { buildId }) } : { kind: 'pattern' }
}

async function numberJump(ctx: Context, { pull, bug }: Named<'number'>): Promise<Jump> {
  const [{ items }, isBug] = await Promise.all([ctx.store.runs({ pull }, { limit: 1 }), isNamed(ctx, bug)])
  if (!isBug) return page(pullPage(pull))
  if (items.length === 0) return page(bugPage(bug))
  const choices = [
    { page: pullPage(pull), title: `the runs of pull request ${bug}` },
    { page: bugPage(bug), title: `bug ${bug}` },
  ]
  return { kind: 'choices', choices }
}

function isAddress({ kind }: BoxText, text: string): boolean {
  return kind === 'run' || kind === 'build' || (kind !== 'pattern' && /:\/\//.test(text))
}

/** By its place, or by its id where only that is known: buckets are renamed, and pointers stand elsewhere than runs. */
async function runsAt(ctx: Context, { bucket, path }: RunAddress): Promise<readonly Run[]> {
  const keys = ['gs', 's3', 'dir'].map((scheme) => ({ bucket: `${scheme}://${bucket}`, path }))
  const stored = await ctx.store.runsOf(keys)
  return stored.length > 0 ? stored.slice(0, 1) : await buildsOf(ctx, nameOf({ bucket, path }))
}

async function buildsOf({ store }: Context, { job, buildId }: NamedRun): Promise<readonly Run[]> {
  const filter = job === undefined ? { buildId } : { buildId, jobs: [job] }
  return (await store.runs(filter, { limit: CHOICES })).items
}

function nameOf({ bucket, path }: RunAddress): NamedRun {
  const [job = '', buildId = ''] = path.split('/').slice(-2)
  return { bucket, path, job, buildId }
}

function choiceOf(run: Run, address?: RunAddress): Choice {
  return { page: pageOf(run, address), run, title: `${run.job} ${run.buildId}` }
}

/** At the line or the log that the address names. */
function pageOf(run: Run, address?: RunAddress): string {
  const { prowl } = runLinks(run, address?.anchor)
  return address?.file === undefined || address.anchor
    ? prowl
    : `${prowl}?${new URLSearchParams({ log: address.file })}`
}

async function isNamed(ctx: Context, bug: string): Promise<boolean> {
  if ((await signaturesOf(ctx, bug)).length > 0) return true
  return (await ctx.store.listEvidence({ bug }, { limit: 1 })).items.length > 0
}

function bugPage(name: string): string {
  return `/bug/${encodeURIComponent(name)}`
}

function page(address: string): Jump {
  return { kind: 'page', page: address }
}
