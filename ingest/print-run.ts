import prettyBytes from 'pretty-bytes'
import { formatRunPath } from '#lib/model/run-path.ts'
import type { StoredRun } from '#lib/store/store.ts'
import { printable } from '#lib/text/printable.ts'

/** A run that was read, for a terminal: what it is, its known failures with their lines, and its page. */
export function printRun(out: Pick<NodeJS.WriteStream, 'write'>, { run, logs, hits }: StoredRun): void {
  const bytes = logs.reduce((sum, log) => sum + log.bytes, 0)
  const when = new Date(run.time).toISOString()
  const lines = [
    `${run.job} ${run.buildId}: ${run.result}, ${when}, ${logs.length} logs, ${prettyBytes(bytes)}`,
    ...run.warnings.map((warning) => `  warning: ${warning}`),
    ...hits.map(({ signature, log, line, text }) => `  ${signature}  ${log}:${line}  ${text.trim().slice(0, 200)}`),
    ...(hits.length === 0 && run.result !== 'pending' ? ['  no known failure'] : []),
    `  /runs/${formatRunPath(run)}`,
  ]
  out.write(`${lines.map(printable).join('\n')}\n`)
}
