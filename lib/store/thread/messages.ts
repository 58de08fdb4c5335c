import { ERROR_CODES, type ErrorCode, ProwlError } from '../../errors.ts'
import type { Store } from '../store.ts'

export interface Call {
  readonly id: number
  readonly method: keyof Store
  readonly args: readonly unknown[]
}

/** Answers to calls by their number; 0 answers the opening. */
export type Answer =
  /** Nobody asked: a line for people. */
  | { readonly notice: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError }

/** Structured clone keeps neither the class nor the code of an error. */
interface SentError {
  readonly code: string | undefined
  readonly message: string
  readonly cause: unknown
}

export function encodeError(error: unknown): SentError {
  const code = error instanceof ProwlError ? error.code : undefined
  return { code, message: error instanceof Error ? error.message : String(error), cause: shownCause(error) }
}

/** A fault without a code was one of the store's own. */
export function decodeError({ code, message, cause }: SentError): ProwlError {
  return isCode(code)
    ? new ProwlError(code, message, { cause })
    : new ProwlError('STORE_FAILED', `the store failed: ${message}`, { cause })
}

function isCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && code in ERROR_CODES
}

function shownCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return error.cause === undefined ? error.stack : String(error.cause)
}
