import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { isProwlError, type ProwlError } from '#lib/errors.ts'
import type { DataReach } from '#lib/service/views.ts'

/** How commands end. */
export const EXIT = { yes: 0, no: 1, error: 2, unsure: 3 } as const

/** A fault in its options is one line, status 2. */
export function oneLine(command: Command, told: (text: string) => string = (text) => `${text}; see --help`): Command {
  return command
    .configureOutput({
      outputError: (text, write) => write(`prowl: CONFIG_INVALID: ${told(text.replace(/^error: /, '').trim())}\n`),
    })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.yes : EXIT.error))
}

/** Tells an error in one line, and ends with status 2. */
export async function ending(run: () => Promise<unknown>): Promise<void> {
  // `| head` closes the pipe: nobody reads on.
  process.stdout.on('error', () => process.exit(0))
  try {
    await run()
  } catch (error) {
    console.error(isProwlError(error) ? `prowl: ${error.code}: ${error.message}${positionOf(error)}` : error)
    process.exitCode = EXIT.error
  }
}

function positionOf({ position }: ProwlError): string {
  return position === undefined ? '' : ` (at ${position})`
}

/** A path as whoever called the command means it. */
export function fromCaller(path: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1))
  return resolve(process.env.PROWL_CALLED_FROM ?? process.cwd(), path)
}

/** How far the data reaches, and what is wrong with it, on standard error. */
export function printReach({ words, warnings }: DataReach): void {
  for (const text of [...warnings, words]) console.error(`prowl: ${text}`)
}
