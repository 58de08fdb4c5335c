import { descending, max } from 'd3-array'
import { utc } from '../evidence/words.ts'
import { outcomesLine } from '../incident/outcomes.ts'
import type { Incident } from '../model/incident.ts'
import type { Notice } from '../model/notice.ts'
import type { Signature } from '../model/signature.ts'
import type { Feed, FeedEntry } from '../notice/atom.ts'
import { noticeState } from '../notice/state.ts'
import type { Context } from './context.ts'
import { findSignature } from './signature.ts'

const ENTRIES = 50
const JOBS_NAMED = 5

/**
 * What changed of all signatures and groups; of one signature, its incidents too. The newest entries, newest first.
 * `site`: where the app is, without a slash at the end. Throws NOT_FOUND.
 */
export async function feedOf(ctx: Context, site: string, id?: string): Promise<Feed> {
  const signature = id === undefined ? undefined : findSignature(await ctx.catalogue(), id)
  const [state, incidents] = await Promise.all([
    noticeState(ctx.store),
    signature ? ctx.store.incidents({ signature: signature.id }) : [],
  ])
  const notices = (state?.notices ?? []).filter((notice) => !signature || notice.signature === signature.id)
  const entries = [
    ...notices.map((notice) => noticeEntry(notice, site)),
    ...(signature ? incidents.map((incident) => incidentEntry(incident, signature, site)) : []),
  ]
    .sort((a, b) => descending(a.updated, b.updated) || (a.id < b.id ? -1 : 1))
    .slice(0, ENTRIES)
  const query = signature ? `?signature=${encodeURIComponent(signature.id)}` : ''
  return {
    id: tag(signature ? `signature/${signature.id}` : 'all'),
    title: signature ? `prowl: ${signature.title}` : 'prowl: what changed',
    self: `${site}/feed${query}`,
    page: `${site}/${signature ? `signatures/${encodeURIComponent(signature.id)}` : ''}`,
    updated: max(entries, ({ updated }) => updated) ?? state?.from ?? 0,
    entries,
  }
}

function noticeEntry({ id, at, title, sentence, link }: Notice, site: string): FeedEntry {
  return { id: tag(`notice/${id}`), title, published: at, updated: at, link: `${site}${link}`, text: sentence }
}

/** Told anew when another run of it ends. */
function incidentEntry({ id, at, runs, jobs, votes }: Incident, { title, kind }: Signature, site: string): FeedEntry {
  const more = jobs.length - JOBS_NAMED
  const named = [...jobs.slice(0, JOBS_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const alone = kind === 'outage' && votes < 2 ? ' One pull request or run only: it is not counted.' : ''
  return {
    id: tag(`incident/${id}`),
    title: `${title}: struck ${utc(at)}`,
    published: at,
    updated: max(runs, ({ time }) => time) ?? at,
    link: `${site}/incidents/${encodeURIComponent(id)}`,
    text: `${outcomesLine(runs)}; ${named}.${alone}`,
  }
}

/** A tag address (RFC 4151), which holds wherever the app is. */
function tag(name: string): string {
  return `tag:prowl,2026:${name.split('/').map(encodeURIComponent).join('/')}`
}
