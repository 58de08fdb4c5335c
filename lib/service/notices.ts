import type { Notice, NoticeState, Standing } from '../model/notice.ts'
import { newGroups, type SeenGroup } from '../notice/new-groups.ts'
import { noticeState, putNoticeState, withNotices } from '../notice/state.ts'
import { type Stands, transition } from '../notice/transitions.ts'
import { isMuted } from '../triage/mutes.ts'
import type { StoredContext } from './context.ts'
import { gatherGroups } from './groups.ts'
import { verdicts } from './verdicts.ts'

/**
 * Notes how each signature stands and which groups are new, and gives notice of what changed since it last looked;
 * `posted`: the notices are to be posted as well. The first look at a store is silent. Called by the worker after a pass.
 */
export async function takeNotice(
  ctx: StoredContext,
  { posted }: { readonly posted: boolean },
): Promise<readonly Notice[]> {
  const now = ctx.now()
  const before = await noticeState(ctx.store)
  const [stands, groups] = await Promise.all([standsOf(ctx, now), groupsOf(ctx)])
  const moved = stands.map(
    (one) => [one.signature.id, transition(before?.standings[one.signature.id], one, now)] as const,
  )
  const seen = newGroups(before?.groups, groups, now)
  const fresh = [...moved.flatMap(([, { notice }]) => notice ?? []), ...seen.notices]
  const state: NoticeState = {
    from: now,
    notices: [],
    unsent: [],
    ...before,
    // One whose file is unreadable for a while is not forgotten.
    standings: {
      ...before?.standings,
      ...Object.fromEntries(moved.map(([id, { standing }]): [string, Standing] => [id, standing])),
    },
    groups: seen.groups,
  }
  await putNoticeState(ctx.store, withNotices(state, fresh, posted))
  return fresh
}

/** A part's news is its parent's, and a retired one has none. */
async function standsOf(ctx: StoredContext, now: number): Promise<Stands[]> {
  const [{ signatures }, judged] = await Promise.all([ctx.catalogue(), verdicts(ctx)])
  return signatures.flatMap((signature) => {
    const judgement = judged.get(signature.id)
    return judgement && !signature.part ? [{ signature, ...judgement, muted: isMuted(signature, now) }] : []
  })
}

async function groupsOf(ctx: StoredContext): Promise<SeenGroup[]> {
  const { groups } = await gatherGroups(ctx)
  return groups.map(({ example, ...each }) => ({ ...each, text: example.failure.text }))
}
