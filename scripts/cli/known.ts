import { Command } from 'commander'
import { ProwlError } from '#lib/errors.ts'
import { parseBox } from '#lib/service/box.ts'
import { knownText, pullText } from '#lib/service/known-text.ts'
import { logKnown, logText } from '#lib/service/log-known.ts'
import { pullAnswer } from '#lib/service/pull.ts'
import { jsonText } from '#lib/text/printable.ts'
import { type Asked, type AskedFlags, openAsked } from './asked.ts'
import { isFile, readLog } from './log-file.ts'
import { EXIT, oneLine, printReach } from './output.ts'

interface Flags extends AskedFlags {
  readonly json?: boolean
}

const HELP = `
A run is named by its address in any form (Prow, Spyglass, gcsweb, storage.googleapis.com, console.cloud.google.com,
gs://…, deep into its artifacts) or its build id; a pull request by org/repo#123 or its address; a log by its file, - is
standard input (gzip is unpacked).

Examples:
  npx prowl known https://prow.ci.openshift.org/view/gs/test-platform-results/logs/e2e-aws/8664
  npx prowl known openshift/installer#2708 --url https://prowl.example.org
  npx prowl known build-log.txt && echo 'a known failure: retest'

Ends with
  0  known: it died of a failure that has a signature (a pull request: each failed run of its newest commit did)
  1  not: nothing known was found, and all there is was read; or it did not fail
  2  an error
  3  not read yet, not ended, or not read whole: nothing known was found, and that proves nothing`

const CODES = { known: EXIT.yes, not: EXIT.no, undecided: EXIT.unsure, unread: EXIT.unsure } as const

export function knownCommand(name: string): Command {
  const command = new Command(name)
    .description('Whether a red job is known: of which failure a run died, with its bug.')
    .argument('<run, pull request or log file>')
    .option('--json', 'as JSON, with completeTo and partial')
    .option('--url <address>', 'ask a running prowl, not the data on this machine')
    .option('--data <directory>', 'the data directory (default: PROWL_DATA, or ./data)')
    .addHelpText('after', HELP)
    .action(async (text: string, flags: Flags) => {
      const asked = openAsked(flags)
      try {
        process.exitCode = CODES[await tell(asked, text, flags)]
      } finally {
        await asked.close()
      }
    })
  return oneLine(command)
}

async function tell(asked: Asked, text: string, { json }: Flags): Promise<keyof typeof CODES> {
  const named = parseBox(text)
  const isAddress = named.kind === 'run' || named.kind === 'build' || text.includes('://')
  if (text === '-' || (!isAddress && (await isFile(text)))) {
    const known = await logKnown((await asked.catalogue()).signatures, readLog(text))
    process.stdout.write(json ? `${jsonText(known)}\n` : logText(known))
    return known.answer
  }
  if (named.kind === 'pull' || named.kind === 'number') {
    const view = await asked.pull(named.pull)
    process.stdout.write(json ? `${jsonText({ answer: pullAnswer(view), ...view })}\n` : pullText(view, asked.site))
    printReach(view.reach)
    return pullAnswer(view)
  }
  if (named.kind !== 'run' && named.kind !== 'build' && named.kind !== 'id')
    throw new ProwlError('QUERY_INVALID', `${text}: names no run, no pull request and no file; see --help`)
  const known = await asked.known(text)
  process.stdout.write(json ? `${jsonText(known)}\n` : knownText(known, asked.site))
  printReach(known.reach)
  return known.answer
}
