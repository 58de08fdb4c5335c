import type { Instrumentation } from 'next'
import { readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import { createLog, type Log } from '#lib/log/log.ts'
import { type Ended, requestId } from './reader.ts'

const log = createLog('web', readConfig())

/** Searches may take their time, and none of them so long that nobody should know. */
export const SLOW_MS = 2000
/** A tried edit of a signature is an address of up to 256 KiB. */
const PATH_CHARACTERS = 500

/** The digest is what the page of the error shows: it finds this line again. */
export const logRequestError: Instrumentation.onRequestError = (error, { method, path }, { routePath, routeType }) => {
  const about = { requestId: requestId(), code: codeOf(error), digest: digestOf(error), method, path: shown(path) }
  log.error({ ...about, routePath, routeType, err: error }, 'a request failed')
}

export const logEnded = (ended: Ended): void => logEndedTo(log, ended)

/** An answer that failed or was slow, as a warning; all others are there at the level `debug`. */
export function logEndedTo(
  to: Pick<Log, 'warn' | 'debug'>,
  { id, method, path, status, ms, left, fault }: Ended,
): void {
  const about = { requestId: id, method, path: shown(path), status, ms, ...(left && { left }) }
  const because = fault === undefined || status < 500 ? {} : { code: codeOf(fault), err: fault }
  if (status >= 500) to.warn({ ...about, ...because }, 'answered with a fault')
  else if (ms >= SLOW_MS) to.warn(about, 'a slow answer')
  else to.debug(about, 'answered')
}

function shown(path: string): string {
  return path.length <= PATH_CHARACTERS ? path : `${path.slice(0, PATH_CHARACTERS)}…`
}

function codeOf(error: unknown): string {
  return isProwlError(error) ? error.code : 'UNEXPECTED'
}

function digestOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : undefined
}
