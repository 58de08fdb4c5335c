import { request } from 'undici'
import type { Notice, NoticeState } from '#lib/model/notice.ts'
import { slackMessage } from '#lib/notice/slack.ts'
import { noticeState, putNoticeState } from '#lib/notice/state.ts'
import type { Store } from '#lib/store/store.ts'
import { type Polite, politeFor, type Slot } from './source/host.ts'
import { HttpError, type RetryPolicy } from './source/retry.ts'

export interface WebhookOptions {
  /** Its path is a secret: it is told nowhere. */
  readonly webhook: string
  /** Address that people reach the app at; absent: messages have no link. */
  readonly publicUrl?: string | undefined
  readonly retries?: RetryPolicy
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((message: string) => void) | undefined
  /** Epoch ms. */
  readonly now: () => number
}

const RETRIES: RetryPolicy = { retries: 3, delayMs: 500, maxDelayMs: 5000 }
/** A pass does not wait longer for who asks for patience: the notice waits for a later one. */
const MOST_PATIENCE_MS = 10_000
const ANSWER_MS = 15_000
/** What could not be posted for so long is news no more. */
const GIVEN_UP_MS = 3 * 86_400_000

/**
 * Posts the notices that are due, oldest first, each noted as it is taken. At the first that is not taken it stops, and
 * warns; that one then waits behind the others, so that one which is never taken holds up none.
 */
export async function postNotices(store: Pick<Store, 'state' | 'putState'>, options: WebhookOptions): Promise<void> {
  const { webhook, retries = RETRIES, signal, onWarning, now } = options
  let state = await noticeState(store)
  if (!state || state.unsent.length === 0 || now() < (state.notBefore ?? 0)) return
  const polite = politeFor(webhook, { retries })
  try {
    for (let next = state.unsent[0]; next !== undefined && !signal?.aborted; next = state.unsent[0]) {
      const notice = state.notices.find(({ id }) => id === next)
      const failure = notice && now() - notice.at < GIVEN_UP_MS ? await post(notice, polite, options) : undefined
      if (failure && signal?.aborted) return
      state = afterPost(state, next, failure, now())
      await putNoticeState(store, state)
      if (failure) return onWarning?.(warningOf(failure, state.unsent.length))
    }
  } finally {
    await polite.close()
  }
}

function afterPost(state: NoticeState, id: string, failure: unknown, now: number): NoticeState {
  const rest = state.unsent.filter((each) => each !== id)
  const { notBefore: _, ...others } = state
  if (!failure) return { ...others, unsent: rest }
  const wait = failure instanceof HttpError ? failure.retryAfterMs : undefined
  return { ...others, unsent: [...rest, id], ...(wait !== undefined && { notBefore: now + wait }) }
}

/** Why it was not taken; undefined where it was. */
async function post(notice: Notice, polite: Polite, options: WebhookOptions): Promise<unknown> {
  const { publicUrl, signal } = options
  const body = JSON.stringify(slackMessage(notice, publicUrl?.replace(/\/+$/, '')))
  try {
    return await polite.run((slot) => send(slot, body, options), { signal })
  } catch (error) {
    return error
  }
}

/** Redirects are not followed: they would lead where nobody said. */
async function send({ dispatcher }: Slot, body: string, { webhook, signal, now }: WebhookOptions) {
  const response = await request(webhook, {
    method: 'POST',
    dispatcher,
    signal: signal ?? null,
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'prowl/0.1 (notices)' },
    body,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  })
  await response.body.dump({ limit: 64 * 1024 }).catch(() => {})
  if (response.statusCode >= 200 && response.statusCode < 300) return undefined
  const refused = new HttpError(response.statusCode, response.headers['retry-after']?.toString(), now())
  if ((refused.retryAfterMs ?? 0) > MOST_PATIENCE_MS) return refused
  throw refused
}

/** Messages of errors may name the address. */
function warningOf(failure: unknown, waiting: number): string {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : 'no connection'
  const why = failure instanceof HttpError ? `answered ${failure.message}` : `could not be reached (${code})`
  const what = waiting === 1 ? '1 notice waits' : `${waiting} notices wait`
  return `the webhook ${why}: ${what} for a later pass; check PROWL_WEBHOOK if this lasts`
}
