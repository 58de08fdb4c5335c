import { notFound } from 'next/navigation'
import { isProwlError } from '#lib/errors.ts'
import type { Context } from '#lib/service/context.ts'
import { context } from '#lib/service/open.ts'
import { answerWith, noteFault, readerSignal } from '../_server/reader.ts'

/** For a moment, and through no fault of the reader: whoever watches or caches the page must know. */
const UNAVAILABLE = 503

/** A fault that a reader can do something about, told on the page. */
export interface Trouble {
  readonly code: string
  readonly message: string
}

export type Loaded<T> =
  | { readonly view: T; readonly ctx: Context; readonly trouble?: undefined }
  | { readonly trouble: Trouble; readonly view?: undefined; readonly ctx?: undefined }

/**
 * A page's view. Errors with a code are given back, since what React throws away on its way to a reader without
 * JavaScript is exactly the message; others are left to the framework, and what is not there to its page for that. A
 * reader who left is no fault: nobody sees what is given back then.
 */
export async function load<T>(use: (ctx: Context) => Promise<T>): Promise<Loaded<T>> {
  try {
    const ctx = await context()
    return { view: await use(ctx), ctx }
  } catch (error) {
    if (readerSignal()?.aborted) return { trouble: { code: 'LEFT', message: 'the reader has left' } }
    if (!isProwlError(error)) throw error
    if (error.code === 'NOT_FOUND') notFound()
    noteFault(error)
    if (error.status === UNAVAILABLE) answerWith(UNAVAILABLE)
    return { trouble: { code: error.code, message: error.message } }
  }
}
