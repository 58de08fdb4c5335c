import { readFile } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { readConfig } from '#lib/config.ts'
import { isProwlError, ProwlError } from '#lib/errors.ts'
import { formatRunPath } from '#lib/model/run-path.ts'
import { createSearcher } from '#lib/search/engine.ts'
import { type Differences, type PreviewAnswer, preview, withFile } from '#lib/service/preview.ts'
import { parseCatalogue, readCatalogueFiles, shownPath } from '#lib/signature/catalogue.ts'
import { openStore } from '#lib/store/open.ts'
import { printable } from '#lib/text/printable.ts'

interface Flags {
  readonly data?: string
  readonly json?: boolean
  readonly lines: string
}

/** A day: who runs it can stop it. */
const DEADLINE_MS = 86_400_000

const program = new Command('npm run signatures --').description('Works on signature files; none is ever written.')
program
  .command('preview')
  .description('Which runs an edited signature file would gain and lose, over all text that is kept.')
  .argument('<file>', 'it stands in place of the file of its name, or beside the others')
  .option('--json', 'as JSON')
  .option('--lines <n>', 'runs named a signature, of those gained and of those lost', '10')
  .option('--data <directory>', 'the data directory (default: PROWL_DATA, or ./data)')
  .addHelpText('after', '\nExample: npm run signatures -- preview signatures/boskos.yaml')
  .action(async (file: string, flags: Flags) => {
    process.exitCode = await run(file, flags)
  })
for (const command of [program, ...program.commands])
  command
    .configureOutput({
      outputError: (text, write) =>
        write(`prowl: CONFIG_INVALID: ${text.replace(/^error: /, '').trim()}; see --help\n`),
    })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

async function run(file: string, flags: Flags): Promise<number> {
  const { dataDir, elastic, signatureDirs } = readConfig(undefined, undefined, flags.data)
  const { files } = await readCatalogueFiles(signatureDirs)
  const edited = { file: shownPath(file), text: await textOf(file) }
  const after = parseCatalogue(withFile(files, edited))
  const faults = after.problems.filter((problem) => problem.file === edited.file)
  for (const { line, signature, message } of faults)
    console.error(`prowl: SIGNATURE_INVALID: ${edited.file}:${line}: ${signature ? `${signature}: ` : ''}${message}`)
  if (faults.length > 0) return 2
  const store = await openStore({ dataDir, elastic, mode: 'read' })
  const searcher = createSearcher(elastic ? { store } : { store, dataDir })
  const bar = new SingleBar({
    format: 'looking {bar} {value} of {total} runs',
    clearOnComplete: true,
    stream: process.stderr,
  })
  try {
    const { runs } = await store.status()
    bar.start(
      Object.values(runs).reduce((sum, count) => sum + count, 0),
      0,
    )
    const answer = await preview(searcher, parseCatalogue(files), after, {
      deadlineMs: DEADLINE_MS,
      listed: flags.json ? Number.POSITIVE_INFINITY : Number(flags.lines),
      onProgress: (done) => bar.update(done),
    })
    bar.stop()
    console.log(flags.json ? JSON.stringify(answer) : wordsOf(answer))
    return 0
  } finally {
    bar.stop()
    await searcher.close()
    await store.close()
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new ProwlError('SIGNATURE_INVALID', `${file}: cannot be read; give a signature file`, { cause })
  }
}

function wordsOf({ previews, runs, expired, leftOut, partial }: PreviewAnswer): string {
  if (previews.length === 0) return 'no rule differs: nothing would be gained or lost'
  const gone = expired > 0 ? `, and ${expired} whose text is gone, of which nothing is known` : ''
  return [
    `over ${runs} runs${gone}:`,
    ...(leftOut > 0 ? [`${leftOut} runs left out: a pattern came to no end on them, or their text is damaged`] : []),
    ...(partial ? ['stopped before all runs were compared'] : []),
    ...previews.flatMap(({ signature, why, gained, lost, kept }) => [
      `${signature}${why === 'removed' ? ' (no longer defined)' : ''}: ${gained.count} runs gained, ${lost.count} lost, ${kept} as before`,
      ...list('+', gained),
      ...list('-', lost),
    ]),
  ].join('\n')
}

function list(mark: string, { count, runs }: Differences): string[] {
  const lines = runs.map(({ run, hits: [first] }) => {
    const where = first ? `${first.log}:${first.line}: ${printable(first.text)}` : ''
    return `  ${mark} ${run.job} ${run.buildId} ${where}\t/runs/${formatRunPath(run)}`
  })
  const more = count - lines.length
  return more > 0 ? [...lines, `  ${mark} and ${more} more`] : lines
}

try {
  await program.parseAsync()
} catch (error) {
  console.error(isProwlError(error) ? `prowl: ${error.code}: ${error.message}` : error)
  process.exitCode = 2
}
