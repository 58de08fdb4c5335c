import type { Notice } from '../model/notice.ts'
import { NoticeState } from '../model/notice.ts'
import type { Store } from '../store/store.ts'

const KEY = 'notices'
/** Notices that are kept. */
const KEPT = 200

/** Undefined before the worker first looked. */
export async function noticeState(store: Pick<Store, 'state'>): Promise<NoticeState | undefined> {
  return NoticeState.safeParse(await store.state(KEY)).data
}

export async function putNoticeState(store: Pick<Store, 'putState'>, state: NoticeState): Promise<void> {
  const notices = state.notices.slice(-KEPT)
  const kept = new Set(notices.map(({ id }) => id))
  await store.putState(KEY, { ...state, notices, unsent: state.unsent.filter((id) => kept.has(id)) })
}

/** With those that are not there yet; `posted`: they are to be posted as well. */
export function withNotices(state: NoticeState, fresh: readonly Notice[], posted: boolean): NoticeState {
  const known = new Set(state.notices.map(({ id }) => id))
  const added = fresh.filter(({ id }) => !known.has(id))
  return {
    ...state,
    notices: [...state.notices, ...added],
    unsent: posted ? [...state.unsent, ...added.map(({ id }) => id)] : [],
  }
}
