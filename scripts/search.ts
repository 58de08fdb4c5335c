import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#lib/config.ts'
import { isProwlError, type ProwlError } from '#lib/errors.ts'
import { explain, shareRead } from '#lib/regex/explain.ts'
import { planOf } from '#lib/regex/plan.ts'
import { printPlan } from '#lib/regex/print-plan.ts'
import { parseQuery, type SearchQuery } from '#lib/search/query.ts'
import type { Context } from '#lib/service/context.ts'
import { context } from '#lib/service/open.ts'
import { dataReach } from '#lib/service/reach.ts'
import { type SearchCounts, type StreamOptions, searchCounts, searchStream } from '#lib/service/search-stream.ts'
import type { DataReach, SearchHitView } from '#lib/service/views.ts'
import { printable } from '#lib/text/printable.ts'

interface Flags {
  readonly job?: string
  readonly excludeJob?: string
  readonly since: string
  readonly from?: string
  readonly to?: string
  readonly result?: string
  readonly type?: string
  readonly context: string
  readonly maxPerRun?: string
  readonly maxBytes?: number
  readonly limit: number
  readonly count?: boolean
  readonly json?: boolean
  readonly explain?: boolean
  readonly data?: string
}

const EXAMPLES = `
Examples:
  npm run search -- 'boskos.ci.*EOF' --job e2e --since 14d
  npm run search -- --count 'no route to host' 'i/o timeout'
  npm run search -- -- '-v foo'

A line a hit: job, build id, log:line: text, a tab, the address of its page; on standard error, how far the data reaches
and what the answer lacks. Ends with 0 where a line matches, with 1 where none does, with 2 on an error.`

const command = new Command('npm run search --')
  .description('Searches the logs that were read, the newest first.')
  .argument('<pattern...>', 'RE2; of several, lines that match any. One that begins with a dash comes after --')
  .option('--job <regex>', 'only jobs whose name matches')
  .option('--exclude-job <regex>', 'no jobs whose name matches')
  .option('--since <time>', 'the last so long, as 14d or 36h', '14d')
  .option('--from <time>', 'an absolute range instead: 2026-11-03, or 2026-11-03T02:14:00Z')
  .option('--to <time>', 'its end; a day is included')
  .option('--result <results>', 'of failure, success, aborted, error, pending, lost; several with commas')
  .option('--type <kinds>', 'kinds of log, as build-log+junit')
  .option('--context <lines>', 'lines before and after each hit, 0 to 15', '0')
  .option('--limit <lines>', 'lines printed at most', whole, 1000)
  .option(
    '--max-per-run <lines>',
    'lines of a run at most, 1 to 200; the run is then read no further (not with --count)',
  )
  .option('--max-bytes <size>', 'bytes of log read at most (default: 64GiB)', size)
  .option('--count', 'how many runs and lines match: in all, by pattern, by job, by day')
  .option(
    '--explain',
    'how the pattern narrows what is read: the plan, in words and in short, and the share of blocks it leaves',
  )
  .option('--json', 'as JSON: an object a hit, or one of counts')
  .option('--data <directory>', 'the data directory (default: PROWL_DATA, or ./data)')
  .addHelpText('after', EXAMPLES)
  .configureOutput({
    outputError: (text, write) => write(`prowl: CONFIG_INVALID: ${refusal(text.replace(/^error: /, '').trim())}\n`),
  })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

function refusal(text: string): string {
  const pattern = /^unknown option '(.*)'$/s.exec(text)?.[1]
  if (pattern === undefined) return `${text}; see --help`
  return `${printable(text)}; a pattern that begins with a dash comes after --: npm run search -- -- '${printable(pattern)}'; see --help`
}

function size(text: string): number {
  const [, number, unit = ''] = /^(\d{1,9})([KMGT]iB)?$/.exec(text) ?? []
  const bytes = Number(number) * 1024 ** ['', 'KiB', 'MiB', 'GiB', 'TiB'].indexOf(unit)
  if (!(bytes >= 1)) throw new InvalidArgumentError('give a size, such as 512MiB or 1TiB')
  return bytes
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('give a number above 0')
  return Number(text)
}

async function main(patterns: readonly string[], flags: Flags): Promise<number> {
  const { query } = parseQuery(parametersOf(patterns, flags), { strict: true })
  if (flags.data !== undefined) process.env.PROWL_DATA = flags.data
  const { publicUrl, port } = readConfig()
  const ctx = await context()
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('stopped')))
  // `| head` closes the pipe: nobody reads on.
  process.stdout.on('error', () => process.exit(0))
  try {
    const options = { maxBytes: flags.maxBytes, signal: stop.signal }
    if (flags.explain) return await printPlans(ctx, query, options)
    if (flags.count) return printCounts(await searchCounts(ctx, query, options), flags)
    return await printLines(ctx, query, flags, { base: publicUrl ?? `http://localhost:${port}`, ...options })
  } finally {
    await ctx.searcher.close()
    await ctx.store.close()
  }
}

function parametersOf(patterns: readonly string[], flags: Flags): URLSearchParams {
  const params = new URLSearchParams(patterns.map((pattern) => ['search', pattern]))
  const range =
    flags.from === undefined && flags.to === undefined ? { maxAge: flags.since } : { from: flags.from, to: flags.to }
  const given = { ...range, name: flags.job, excludeName: flags.excludeJob, result: flags.result, type: flags.type }
  for (const [name, value] of Object.entries({ ...given, context: flags.context, maxPerRun: flags.maxPerRun }))
    if (value !== undefined) params.set(name, value)
  return params
}

async function printLines(
  ctx: Context,
  query: SearchQuery,
  { limit, json }: Flags,
  { base, ...options }: StreamOptions & { readonly base: string },
): Promise<number> {
  const reach = await dataReach(ctx)
  const hits = searchStream(ctx, query, options)
  let printed = 0
  for (;;) {
    const next = await hits.next()
    if (next.done) {
      for (const reason of next.value) console.error(`prowl: lines may be missing: ${LACKING[reason]}`)
      printReach(reach)
      return printed > 0 ? 0 : 1
    }
    if (printed >= limit) {
      console.error(`prowl: the first ${limit} lines; more exist: give a greater --limit`)
      printReach(reach)
      await hits.return([])
      return 0
    }
    process.stdout.write(json ? `${JSON.stringify(next.value)}\n` : lineOf(next.value, base, query.context))
    printed++
  }
}

/** What each pattern demands of a block, and what a search for all of them would read. */
async function printPlans(ctx: Context, query: SearchQuery, options: StreamOptions): Promise<number> {
  const counts = await searchCounts(ctx, query, options)
  for (const pattern of query.patterns) {
    const planned = planOf(pattern, { smartCase: true })
    console.log(pattern)
    for (const sentence of explain(planned)) console.log(`  ${sentence}`)
    console.log(`  plan: ${printPlan(planned)}`)
  }
  const { blocks, pruned, ms } = counts.searched
  console.log(
    `${shareRead({ blocks: blocks + pruned, read: blocks })} ${counted(counts.lines, 'line')} match, in ${ms} ms.`,
  )
  printReach(counts.reach)
  return 0
}

/** What was not searched, in words and what to do. */
const LACKING: Readonly<Record<SearchCounts['partial'][number], string>> = {
  bytes: 'as many bytes were read as --max-bytes allows; narrow the search, or give more',
  deadline: 'the time was over, or a pattern came to no end on some text; narrow the search',
  expired: 'some text expired meanwhile',
  damaged: 'some stored text is damaged; see the status page',
  limit: 'a limit was reached',
}

function printReach({ words, warnings }: DataReach): void {
  for (const text of [...warnings, words]) console.error(`prowl: ${text}`)
}

/** As grep prints context: `-` in place of `:`, and `--` between. */
function lineOf({ hit, links }: SearchHitView, base: string, context: number): string {
  const at = (line: number, text: string, mark: string) =>
    `${hit.job} ${hit.buildId} ${hit.log}${mark}${line}${mark} ${printable(text)}`
  const before = hit.before.map((text, i) => at(hit.line - hit.before.length + i, text, '-'))
  const after = hit.after.map((text, i) => at(hit.line + 1 + i, text, '-'))
  const lines = [...before, `${at(hit.line, hit.text, ':')}\t${base}${links.prowl}`, ...after]
  return `${lines.join('\n')}\n${context > 0 ? '--\n' : ''}`
}

function printCounts(counts: SearchCounts, { json }: Flags): number {
  const { runs, failedRuns, lines, linesOf, patterns, byJob, days, searched, partial, countedFrom, reach } = counts
  if (json) console.log(JSON.stringify(counts))
  else {
    console.log(`${counted(lines, 'line')} in ${counted(runs, 'run')}, ${failedRuns} of them failed`)
    if (patterns.length > 1)
      for (const [at, each] of patterns.entries())
        console.log(
          `  ${counted(linesOf[at] ?? 0, 'line')} in ${counted(each.runs, 'run')}, ${each.failedRuns} failed: ${each.pattern}`,
        )
    for (const each of byJob)
      console.log(
        `  ${counted(each.lines, 'line')} in ${counted(each.runs, 'run')}, ${each.failedRuns} failed: ${each.job}`,
      )
    for (const each of days) console.log(`  ${counted(each.runs, 'run')}, ${each.failedRuns} failed: ${each.day}`)
    console.error(`searched ${searched.logs} logs, ${searched.bytes} bytes, in ${searched.ms} ms`)
  }
  if (countedFrom !== undefined) console.error(`prowl: counted back to ${new Date(countedFrom).toISOString()} only`)
  for (const reason of partial) console.error(`prowl: counts may be too low: ${LACKING[reason]}`)
  printReach(reach)
  return runs > 0 ? 0 : 1
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function positionOf({ position }: ProwlError): string {
  return position === undefined ? '' : ` (at ${position})`
}

try {
  process.exitCode = await main(command.parse().args, command.opts<Flags>())
} catch (error) {
  console.error(isProwlError(error) ? `prowl: ${error.code}: ${error.message}${positionOf(error)}` : error)
  process.exitCode = 2
}
