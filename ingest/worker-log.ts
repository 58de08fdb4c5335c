import type { Config } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import { createLog, type Log, type LogSink } from '#lib/log/log.ts'
import type { IngestHooks } from './options.ts'

/** The worker's log: JSON for a program that keeps it; on a terminal, where people look on, what they must know, in words. */
export function workerLog(config: Config, err: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Log {
  return err.isTTY ? createLog('worker', config, forPeople(err)) : createLog('worker', config)
}

/** Warnings and faults; of passes there is the progress. */
function forPeople(err: Pick<NodeJS.WriteStream, 'write'>): LogSink {
  return {
    write: (line) => {
      const { level, msg, run, code, err: fault } = JSON.parse(line) as Told
      const about = run === undefined ? '' : `${run}: ${code}: `
      if (level === 'warn' || level === 'error') err.write(`prowl: warning: ${about}${msg}\n`)
      if (level === 'fatal' && fault?.stack) err.write(`${fault.stack}\n`)
    },
  }
}

interface Told {
  readonly level: string
  readonly msg: string
  readonly run?: string
  readonly code?: string
  readonly err?: { readonly stack?: string }
}

/** The hooks, with what they are told in the log too; `steady` gives ms, whatever the clock is set to. */
export function logged(hooks: IngestHooks, log: Log, steady: () => number): IngestHooks {
  let [pass, since] = [1, steady()]
  return {
    ...hooks,
    onOpen: () => {
      log.info('bucket and store are open')
      hooks.onOpen?.()
    },
    onRun: ({ bucket, path, failure }) => {
      const about = { bucket, run: path, pass }
      if (failure) log.warn({ ...about, code: failure.code }, failure.message)
      else log.debug(about, 'a run was read')
    },
    onPass: (result) => {
      const { total: found, published, failed, bytes, whole } = result
      const about = { pass, found, published, failed, bytes, whole, ms: Math.round(steady() - since) }
      // Of a follower most passes find nothing new.
      const isNews = pass === 1 || published > 0 || failed > 0 || !whole
      log[isNews ? 'info' : 'debug'](about, 'a pass has ended')
      ;[pass, since] = [pass + 1, steady()]
      hooks.onPass?.(result)
    },
    onStandby: (message) => {
      log.info(`standing by: ${message}`)
      hooks.onStandby?.(message)
    },
    onWarning: (message) => {
      log.warn(message)
      hooks.onWarning?.(message)
    },
  }
}

/** What ended the worker. */
export function logEnd(log: Log, error: unknown): void {
  log.fatal({ code: isProwlError(error) ? error.code : 'UNEXPECTED', err: error }, 'the worker ends')
}
