import { Command, InvalidArgumentError, Option } from 'commander'
import { ProwlError } from '#lib/errors.ts'
import { explain, shareRead } from '#lib/regex/explain.ts'
import { planOf } from '#lib/regex/plan.ts'
import { printPlan } from '#lib/regex/print-plan.ts'
import { parseDuration } from '#lib/search/duration.ts'
import { counted, countsLines } from '#lib/service/counts-text.ts'
import type { SearchCounts, StreamOptions } from '#lib/service/search-stream.ts'
import type { TallyView } from '#lib/service/tally.ts'
import { tallyLines } from '#lib/service/tally-text.ts'
import type { SearchHitView } from '#lib/service/views.ts'
import { jsonText, printable } from '#lib/text/printable.ts'
import { type Asked, type AskedFlags, openAsked, queryOf } from './asked.ts'
import { EXIT, oneLine, printReach } from './output.ts'

interface Flags extends AskedFlags {
  readonly job?: string
  readonly excludeJob?: string
  readonly exclude?: readonly string[]
  readonly meet?: string
  readonly tally?: 'line' | 'run'
  readonly group?: string
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
  readonly fresh?: number
  readonly json?: boolean
  readonly explain?: boolean
}

const examples = (called: string) => `
Examples:
  ${called} 'boskos.ci.*EOF' --job e2e --since 14d
  ${called} --count 'no route to host' 'i/o timeout'
  ${called} --meet without 'lease lost' 'no route to host'
  ${called} --tally run 'Azure region: (\\S+)'
  ${called} -- '-v foo'

A line a hit: job, build id, log:line: text, a tab, the address of its page; on standard error, how far the data reaches
and what the answer lacks.

Ends with
  0  a line matches
  1  none does
  2  an error
  3  with --count: none was found, and that proves nothing: the search was not whole, runs may be missing from the data,
     or it is not as --fresh demands`

/** The command; `called` is how examples call it. */
export function searchCommand(name: string, called: string): Command {
  const command = new Command(name)
    .description('Searches the logs that were read, the newest first.')
    .argument('<pattern...>', 'RE2; of several, lines that match any. One that begins with a dash comes after --')
    .option('--exclude <regex>', 'no lines that match; may be given again', again)
    .option(
      '--meet <how>',
      'of several patterns, runs that hold a line of `any`, of `all`, or of the first `without` the others',
    )
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
    .addOption(
      new Option('--tally [by]', 'what a capture group caught, with counts by line or by run, as uniq -c prints them')
        .choices(['line', 'run'])
        .preset('line'),
    )
    .option('--group <name>', 'with --tally: name or number of the group, 0 for the whole match (default: the first)')
    .option('--fresh <time>', 'with --count: none counts only if runs are all in up to so long ago, as 2h', duration)
    .option(
      '--explain',
      'how the pattern narrows what is read: the plan, in words and in short, and the share of blocks it leaves',
    )
    .option('--json', 'as JSON: an object a hit, or one of counts, with completeTo and partial')
    .option('--url <address>', 'ask a running prowl, not the data on this machine')
    .option('--data <directory>', 'the data directory (default: PROWL_DATA, or ./data)')
    .addHelpText('after', examples(called))
    .action(async (patterns: string[], flags: Flags) => {
      process.exitCode = await search(patterns, flags)
    })
  return oneLine(command, (text) => refusal(text, called))
}

function refusal(text: string, called: string): string {
  const pattern = /^unknown option '(.*)'$/s.exec(text)?.[1]
  if (pattern === undefined) return `${text}; see --help`
  return `${printable(text)}; a pattern that begins with a dash comes after --: ${called} -- '${printable(pattern)}'; see --help`
}

function size(text: string): number {
  const [, number, unit = ''] = /^(\d{1,9})([KMGT]iB)?$/.exec(text) ?? []
  const bytes = Number(number) * 1024 ** ['', 'KiB', 'MiB', 'GiB', 'TiB'].indexOf(unit)
  if (!(bytes >= 1)) throw new InvalidArgumentError('give a size, such as 512MiB or 1TiB')
  return bytes
}

function again(text: string, given: readonly string[] = []): readonly string[] {
  return [...given, text]
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('give a number above 0')
  return Number(text)
}

function duration(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new InvalidArgumentError('give a time, such as 90m or 2h')
  return ms
}

async function search(patterns: readonly string[], flags: Flags): Promise<number> {
  const params = parametersOf(patterns, flags)
  queryOf(params)
  if (flags.explain && flags.url !== undefined)
    throw new ProwlError('CONFIG_INVALID', '--explain: only of the data on this machine; leave out --url')
  const asked = openAsked(flags)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('stopped')))
  try {
    const options = { maxBytes: flags.maxBytes, signal: stop.signal }
    if (flags.explain) return await printPlans(asked, params, options)
    if (flags.tally) return printTally(await asked.tally(params, flags.limit, options), flags)
    if (flags.count) return printCounts(await asked.counts(params, options), flags)
    return await printLines(asked, params, flags, options)
  } finally {
    await asked.close()
  }
}

function parametersOf(patterns: readonly string[], flags: Flags): URLSearchParams {
  const params = new URLSearchParams(patterns.map((pattern) => ['search', pattern]))
  const range =
    flags.from === undefined && flags.to === undefined ? { maxAge: flags.since } : { from: flags.from, to: flags.to }
  const given = { ...range, name: flags.job, excludeName: flags.excludeJob, result: flags.result, type: flags.type }
  for (const pattern of flags.exclude ?? []) params.append('exclude', pattern)
  const tally = { meet: flags.meet, tally: flags.tally, group: flags.group }
  for (const [name, value] of Object.entries({
    ...given,
    ...tally,
    context: flags.context,
    maxPerRun: flags.maxPerRun,
  }))
    if (value !== undefined) params.set(name, value)
  return params
}

function printTally(view: TallyView, { json }: Flags): number {
  process.stdout.write(json ? `${jsonText(view)}\n` : tallyLines(view))
  const { values, lines } = view.others
  if (values > 0)
    console.error(`prowl: ${counted(values, 'further value')} of ${counted(lines, 'line')}: give a greater --limit`)
  for (const reason of view.partial) console.error(`prowl: values may be missing: ${lackWords(reason)}`)
  printReach(view.reach)
  return view.values.length > 0 ? EXIT.yes : EXIT.no
}

async function printLines(
  asked: Asked,
  params: URLSearchParams,
  { limit, json }: Flags,
  options: StreamOptions,
): Promise<number> {
  const { context } = queryOf(params)
  const { reach, hits } = await asked.lines(params, options)
  let printed = 0
  for (;;) {
    const next = await hits.next()
    if (next.done) {
      for (const reason of next.value) console.error(`prowl: lines may be missing: ${lackWords(reason)}`)
      printReach(reach)
      return printed > 0 ? EXIT.yes : EXIT.no
    }
    if (printed >= limit) {
      console.error(`prowl: the first ${limit} lines; more exist: give a greater --limit`)
      printReach(reach)
      await hits.return([])
      return EXIT.yes
    }
    process.stdout.write(json ? `${jsonText(next.value)}\n` : lineOf(next.value, asked.site, context))
    printed++
  }
}

/** What each pattern demands of a block, and what a search for all of them would read. */
async function printPlans(asked: Asked, params: URLSearchParams, options: StreamOptions): Promise<number> {
  const counts = await asked.counts(params, options)
  for (const pattern of queryOf(params).patterns) {
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
  return EXIT.yes
}

/** What was not searched, in words and what to do. */
const LACKING: Readonly<Record<SearchCounts['partial'][number], string>> = {
  bytes: 'as many bytes were read as --max-bytes allows; narrow the search, or give more',
  deadline: 'the time was over, or a pattern came to no end on some text; narrow the search',
  expired: 'some text expired meanwhile',
  damaged: 'some stored text is damaged; see the status page',
  limit: 'a limit was reached',
  incomplete: 'no moment is known up to which all runs were read',
  late: 'the worker is behind',
  filling: 'a restore or a move into this store has not ended',
  gap: 'the worker missed runs of that time',
  reevaluation: 'edited signatures are being looked for anew',
}

function lackWords(reason: string): string {
  return reason in LACKING ? LACKING[reason as keyof typeof LACKING] : reason
}

/** As grep prints context: `-` in place of `:`, and `--` between. */
function lineOf({ hit, links }: SearchHitView, base: string, context: number): string {
  const at = (line: number, text: string, mark: string) =>
    printable(`${hit.job} ${hit.buildId} ${hit.log}${mark}${line}${mark} ${text}`)
  const before = hit.before.map((text, i) => at(hit.line - hit.before.length + i, text, '-'))
  const after = hit.after.map((text, i) => at(hit.line + 1 + i, text, '-'))
  const lines = [...before, `${at(hit.line, hit.text, ':')}\t${base}${links.prowl}`, ...after]
  return `${lines.join('\n')}\n${context > 0 ? '--\n' : ''}`
}

function printCounts(counts: SearchCounts, { json, fresh }: Flags): number {
  const { runs, searched, partial, completeTo, countedFrom, reach } = counts
  const isStale = fresh !== undefined && (completeTo === undefined || completeTo < Date.now() - fresh)
  if (json) console.log(jsonText(counts))
  else {
    for (const line of countsLines(counts)) console.log(printable(line))
    console.error(`searched ${searched.logs} logs, ${searched.bytes} bytes, in ${searched.ms} ms`)
  }
  if (countedFrom !== undefined) console.error(`prowl: counted back to ${new Date(countedFrom).toISOString()} only`)
  for (const reason of partial) console.error(`prowl: counts may be too low: ${lackWords(reason)}`)
  if (isStale) console.error('prowl: counts may be too low: runs are not all in as lately as --fresh demands')
  printReach(reach)
  if (runs > 0) return EXIT.yes
  return partial.length > 0 || isStale ? EXIT.unsure : EXIT.no
}
