import { randomUUID } from 'node:crypto'
import type { Instrumentation } from 'next'
import pino from 'pino'
import { readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'

const log = pino({ name: 'web', level: readConfig().logLevel }, pino.destination(2))

/** The digest is what the page of the error shows: it finds this line again. */
export const logRequestError: Instrumentation.onRequestError = (error, { method, path }, { routePath, routeType }) => {
  const code = isProwlError(error) ? error.code : 'UNEXPECTED'
  log.error({ code, digest: digestOf(error), method, path, routePath, routeType, err: error }, 'a request failed')
}

/** The same of a handler that answers for itself; gives the digest to tell its reader. */
export function logFault({ method, url }: Request, error: unknown): string {
  const digest = randomUUID().slice(0, 8)
  log.error({ code: 'UNEXPECTED', digest, method, path: new URL(url).pathname, err: error }, 'a request failed')
  return digest
}

function digestOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : undefined
}
