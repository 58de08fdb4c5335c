import pino from 'pino'
import type { Config } from '../config.ts'
import { isProwlError } from '../errors.ts'
import { redactor, secretsOf } from './secrets.ts'

export type Log = Pick<pino.Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'isLevelEnabled'>

/** Where lines go, each with its line feed. */
export interface LogSink {
  write(line: string): unknown
}

const STDERR = 2
/** An error caused by an error, and so on: libraries wrap theirs a few times. */
const CAUSES = 4

/** The log of a process: a JSON object a line, to standard error where no sink is given, without secrets. */
export function createLog(
  name: 'web' | 'worker',
  config: Pick<Config, 'logLevel' | 'webhook' | 'elastic'>,
  // Synchronous: what is said last before the process ends is what matters most.
  sink: LogSink = pino.destination({ dest: STDERR, sync: true }),
): Log {
  const redacted = redactor(secretsOf(config))
  return pino(
    {
      name,
      level: config.logLevel,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorAsData },
      hooks: { streamWrite: redacted },
    },
    sink as pino.DestinationStream,
  )
}

/** Of an error what helps: libraries hang whole requests on theirs, headers included. */
export function errorAsData(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return {
    type: name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message,
    // A coded error says itself where it comes from.
    ...(isProwlError(error) ? {} : { stack }),
    ...(cause !== undefined && depth < CAUSES ? { cause: errorAsData(cause, depth + 1) } : {}),
  }
}
