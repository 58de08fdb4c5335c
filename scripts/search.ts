import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#lib/config.ts'
import { isProwlError } from '#lib/errors.ts'
import { explain, shareRead } from '#lib/regex/explain.ts'
import { planOf } from '#lib/regex/plan.ts'
import { printPlan } from '#lib/regex/print-plan.ts'
import { parseQuery, type SearchQuery } from '#lib/search/query.ts'
import type { Context } from '#lib/service/context.ts'
import { context } from '#lib/service/open.ts'
import { type SearchCounts, searchCounts, searchStream } from '#lib/service/search-stream.ts'
import type { SearchHitView } from '#lib/service/views.ts'
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

A line a hit: job, build id, log:line: text, a tab, the address of its page. Ends with 0 where a line matches, with 1
where none does, with 2 on an error.`

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
  .option('--count', 'how many runs and lines match: in all, by pattern, by job, by day')
  .option(
    '--explain',
    'how the pattern narrows what is read: the plan, in words and in short, and the share of blocks it leaves',
  )
  .option('--json', 'as JSON: an object a hit, or one of counts')
  .option('--data <directory>', 'the data directory (default: PROWL_DATA, or ./data)')
  .addHelpText('after', EXAMPLES)
  .configureOutput({
    outputError: (text, write) => write(`prowl: CONFIG_INVALID: ${text.replace(/^error: /, '').trim()}; see --help\n`),
  })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

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
    if (flags.explain) return await printPlans(ctx, query, stop.signal)
    if (flags.count) return printCounts(await searchCounts(ctx, query, stop.signal), flags)
    return await printLines(ctx, query, flags, { base: publicUrl ?? `http://localhost:${port}`, signal: stop.signal })
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
  for (const [name, value] of Object.entries({ ...given, context: flags.context }))
    if (value !== undefined) params.set(name, value)
  return params
}

async function printLines(
  ctx: Context,
  query: SearchQuery,
  { limit, json }: Flags,
  { base, signal }: { readonly base: string; readonly signal: AbortSignal },
): Promise<number> {
  const hits = searchStream(ctx, query, signal)
  let printed = 0
  for (;;) {
    const next = await hits.next()
    if (next.done) {
      for (const reason of next.value) console.error(`prowl: lines may be missing: ${reason}`)
      return printed > 0 ? 0 : 1
    }
    if (printed >= limit) {
      console.error(`prowl: the first ${limit} lines; more exist: give a greater --limit`)
      await hits.return([])
      return 0
    }
    process.stdout.write(json ? `${JSON.stringify(next.value)}\n` : lineOf(next.value, base, query.context))
    printed++
  }
}

/** What each pattern demands of a block, and what a search for all of them would read. */
async function printPlans(ctx: Context, query: SearchQuery, signal: AbortSignal): Promise<number> {
  const counts = await searchCounts(ctx, query, signal)
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
  return 0
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
  const { runs, failedRuns, lines, linesOf, patterns, byJob, days, searched, partial, countedFrom } = counts
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
  for (const reason of partial) console.error(`prowl: counts may be too low: ${reason}`)
  return runs > 0 ? 0 : 1
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

try {
  process.exitCode = await main(command.parse().args, command.opts<Flags>())
} catch (error) {
  console.error(isProwlError(error) ? `prowl: ${error.code}: ${error.message}` : error)
  process.exitCode = 2
}
