import { Command } from 'commander'
import { ProwlError } from '#lib/errors.ts'
import { repair, verify } from '#lib/service/verify.ts'
import { FAULTS, type Fault, isRepairable, type Report } from '#lib/store/embedded/verify/fault.ts'
import { type CopyFlags, copyCommand } from './copy/command.ts'

interface Flags extends CopyFlags {
  readonly repair?: boolean
  readonly json?: boolean
}

const command = new Command('npm run verify --')
  .description(
    'Checks all that the data directory holds: files, rows, blocks, index and sums. It only reads; worker and web app may go on.',
  )
  .option('--repair', 'mend what can be mended; no worker may hold the directory')
  .option('--json', 'the report as one JSON object')
  .addHelpText(
    'after',
    '\nEnds with 0 where all is sound, 1 where faults are left, 2 where it could not look.\nEach fault is explained in docs/operations.md#verify.',
  )

await copyCommand<Flags>(command, async (_, flags, { dataDir, elastic }, onProgress) => {
  if (elastic)
    throw new ProwlError(
      'CONFIG_INVALID',
      'Elasticsearch verifies its own files; set PROWL_STORE=embedded, or see docs',
    )
  const found = await verify(dataDir, onProgress)
  const report = flags.repair
    ? await repair(dataDir, found, { now: Date.now(), onProgress })
    : { ...found, repaired: 0 }
  process.exitCode = report.faults.length === 0 ? 0 : 1
  return flags.json ? JSON.stringify({ sound: report.faults.length === 0, ...report }) : told(report)
})

function told({ faults, checked, leftovers, repaired }: Report & { readonly repaired: number }): string {
  const held = Object.entries(checked).map(([what, n]) => `${n} ${what}`)
  const left = leftovers > 0 ? [`${leftovers} texts that nothing names are swept by the worker's next pass`] : []
  const mended = repaired > 0 ? [`${repaired} ${repaired === 1 ? 'fault is' : 'faults are'} mended`] : []
  const verdict = faults.length === 0 ? 'sound' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`
  return [...faults.map(line), [...mended, `${verdict}: ${held.join(', ')}`, ...left].join('; ')].join('\n')
}

function line(fault: Fault): string {
  const { code, file, detail, waiting } = fault
  const next = isRepairable(fault) ? `with --repair ${FAULTS[code]}` : 'restore it from a backup'
  return `${code} ${file}: ${detail}; ${waiting ? 'the worker’s next pass reads it again' : next}`
}
