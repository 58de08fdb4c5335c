import { runLinks } from '../deployment/links.ts'
import { parseBuildAddress, parseRunAddress, type RunAddress } from '../deployment/run-address.ts'
import { bugName } from '../evidence/bug-key.ts'
import type { Run } from '../model/run.ts'
import { signaturesOf } from './bug.ts'
import type { Context } from './context.ts'
import { findRun } from './run.ts'

/** The page that a run's address, a build id or a bug opens; `address` says that the text names a run, read or not. */
export async function jump(ctx: Context, text: string): Promise<{ readonly page?: string; readonly address: boolean }> {
  const address = parseRunAddress(text)
  const build = address ? undefined : parseBuildAddress(text)
  const bug = address || build ? undefined : await bugPage(ctx, text)
  if (bug) return { address: false, page: bug }
  const run = address ? await runAt(ctx, address) : build ? await buildOf(ctx, build) : await findRun(ctx, text.trim())
  return { address: (address ?? build) !== undefined, ...(run && { page: runLinks(run, address?.anchor).prowl }) }
}

/** Of a bug that a signature names, or that is written as only bugs are: `no-1` may be a pattern. */
async function bugPage(ctx: Context, text: string): Promise<string | undefined> {
  const name = bugName(text)
  if (name === undefined) return undefined
  const isBug = /^bz\d|^https?:/i.test(text.trim()) || (await signaturesOf(ctx, name)).length > 0
  return isBug && !(await findRun(ctx, text.trim())) ? `/bug/${encodeURIComponent(name)}` : undefined
}

/** By its place, or by its id where only that is known: buckets are renamed, and pointers stand elsewhere than runs. */
async function runAt(ctx: Context, { bucket, path }: RunAddress): Promise<Run | undefined> {
  for (const scheme of ['gs', 'dir']) {
    const stored = await ctx.store.run({ bucket: `${scheme}://${bucket}`, path })
    if (stored) return stored.run
  }
  const [job = '', buildId = ''] = path.split('/').slice(-2)
  return await buildOf(ctx, { job, buildId })
}

async function buildOf(ctx: Context, { job, buildId }: Pick<Run, 'job' | 'buildId'>): Promise<Run | undefined> {
  const run = await findRun(ctx, buildId)
  return run?.job === job ? run : undefined
}
