// Before every module that makes a regex.
import './linear-fallback.ts'

import { workInBackground } from '../background.ts'
import { type FaultyPattern, isProwlError, ProwlError } from '../errors.ts'
import { compile, type LineMatcher } from '../regex/compile.ts'
import type { Catalogue } from '../signature/catalogue.ts'
import { matchText } from '../text/match-text.ts'
import { bytesOf } from './block-bytes.ts'
import { tallyBlock } from './tally-block.ts'
import {
  type BlockTask,
  CANCELLED,
  COMPILING,
  type CountOutcome,
  type CountTask,
  type LinesOutcome,
  type LinesTask,
  type NamesTask,
  type Outcome,
  PROGRESS,
  type Refusal,
  type RunOutcome,
  type TallyOutcome,
  type TallyTask,
  TURN_MS,
  type VerifyTask,
  type WorkerTask,
} from './tasks.ts'
import { capLine, countBlock, verifyBlock } from './verify.ts'

const MATCHERS_KEPT = 64
/** Characters by which a message names one of several patterns. */
const NAMED_CAP = 60

interface Matchers {
  readonly patterns: readonly LineMatcher[]
  readonly excludes: readonly LineMatcher[]
}

const matchers = new Map<string, LineMatcher>()

workInBackground()

/** What piscina calls: one task of one search. Errors of patterns are answered as data, since classes don't survive. */
export default async function run(
  task: WorkerTask,
): Promise<Outcome[] | string[] | string[][] | Catalogue[] | RunOutcome[] | Refusal> {
  if (Atomics.load(task.signals, CANCELLED) === 1) return []
  try {
    if (task.kind === 'verify') return await verify(task)
    if (task.kind === 'count') return await count(task)
    if (task.kind === 'tally') return await tally(task)
    if (task.kind === 'lines') return await lines(task)
    if (task.kind === 'names') return names(task)
    // Most threads never see a signature.
    const { readCatalogue, evaluateRun, knownLines } = await import('./signature-tasks.ts')
    if (task.kind === 'known') return knownLines(task)
    return task.kind === 'catalogue' ? [readCatalogue(task)] : await evaluateRun(task)
  } catch (error) {
    if (!isProwlError(error)) throw error
    const { code, message, position, pattern } = error
    return { refused: { code, message, position, pattern } }
  }
}

async function verify(task: VerifyTask): Promise<LinesOutcome[]> {
  const compiled = matchersOf(task)
  let room = task.maxLines
  const isFull = () => room <= 0
  return await eachBlock(task, isFull, (outcome, block, text) => {
    if (!text) return { ...outcome, lines: [], more: 0 }
    const { afterLine } = block
    const found = verifyBlock(text, block, compiled.patterns, compiled.excludes, {
      ...task,
      afterLine,
      maxLines: task.maxLinesPerBlock,
    })
    room -= found.lines.length
    return { ...outcome, ...found }
  })
}

async function count(task: CountTask): Promise<CountOutcome[]> {
  const compiled = matchersOf(task)
  const none = { counts: compiled.patterns.map(() => 0), any: 0 }
  const isFull = () => false
  return await eachBlock(task, isFull, (outcome, block, text) => ({
    ...outcome,
    ...(text ? countBlock(text, block, compiled.patterns, compiled.excludes) : none),
  }))
}

async function tally(task: TallyTask): Promise<TallyOutcome[]> {
  const compiled = matchersOf(task)
  const none = { lines: 0, values: [] }
  const isFull = () => false
  return await eachBlock(task, isFull, (outcome, block, text) => ({
    ...outcome,
    ...(text ? tallyBlock(text, block, compiled.patterns, compiled.excludes, task.groups) : none),
  }))
}

/** Looks at the blocks in turn, until the answer is of no use, the turn is over or `isFull`. */
async function eachBlock<O extends Outcome>(
  task: VerifyTask | CountTask | TallyTask,
  isFull: () => boolean,
  look: (outcome: Outcome, block: BlockTask, text: Uint8Array | undefined) => O,
): Promise<O[]> {
  const bytes = await bytesOf(task)
  const turnEnds = performance.now() + TURN_MS
  const outcomes: O[] = []
  for (const [index, block] of task.blocks.entries()) {
    if (Atomics.load(task.signals, CANCELLED) === 1) break
    Atomics.store(task.signals, PROGRESS, index + 1)
    const text = bytes[index] ?? 'expired'
    const outcome: O =
      text instanceof Uint8Array
        ? look({ state: 'done', bytes: text.length }, block, text)
        : look({ state: text, bytes: 0 }, block, undefined)
    outcomes.push(outcome)
    if (isFull() || performance.now() > turnEnds) break
  }
  return outcomes
}

async function lines(task: LinesTask): Promise<string[]> {
  const found = new Map<number, string>()
  for (const [index, bytes] of (await bytesOf(task)).entries()) {
    const block = task.blocks[index]
    if (!block || !(bytes instanceof Uint8Array)) continue
    for (const [offset, line] of matchText(bytes, block.ascii).split('\n').entries()) {
      const number = block.firstLine + offset
      if (number >= task.from && number <= task.to && !found.has(number)) found.set(number, capLine(line))
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, line]) => line)
}

function names(task: NamesTask): string[] {
  Atomics.store(task.signals, PROGRESS, COMPILING)
  for (const [index, text] of task.patterns.entries()) namedMatcher({ parameter: 'search', index, text }, task)
  for (const [index, text] of task.excludes.entries()) namedMatcher({ parameter: 'exclude', index, text }, task)
  const of = (parameter: 'name' | 'excludeName', text?: string) =>
    text === undefined ? undefined : namedMatcher({ parameter, index: 0, text }, task)
  const include = of('name', task.include)
  const exclude = of('excludeName', task.exclude)
  const text = task.names.join('\n')
  if (Atomics.load(task.signals, CANCELLED) === 1) return []
  Atomics.store(task.signals, PROGRESS, 1)
  const included = include && new Set(include.matchingLines(text, false))
  const excluded = exclude && new Set(exclude.matchingLines(text, false))
  return task.names.filter((_, index) => included?.has(index) !== false && !excluded?.has(index))
}

/** Throws REGEX_* that names the pattern among the query's. */
function namedMatcher(named: FaultyPattern, { patterns }: NamesTask): LineMatcher {
  try {
    return matcherOf(named.text)
  } catch (error) {
    if (!isProwlError(error)) throw error
    const text = named.text.length > NAMED_CAP ? `${named.text.slice(0, NAMED_CAP).toWellFormed()}…` : named.text
    const which = {
      search: patterns.length > 1 ? `pattern ${named.index + 1}, \`${text}\`: ` : '',
      exclude: `excluded pattern \`${text}\`: `,
      name: 'job pattern: ',
      excludeName: 'excluded job pattern: ',
    }[named.parameter]
    const { position } = error
    throw new ProwlError(error.code, `${which}${error.message}`, { cause: error, position, pattern: named })
  }
}

function matchersOf({ patterns, excludes, signals }: VerifyTask | CountTask | TallyTask): Matchers {
  Atomics.store(signals, PROGRESS, COMPILING)
  const compiled = { patterns: patterns.map(matcherOf), excludes: excludes.map(matcherOf) }
  Atomics.store(signals, PROGRESS, 0)
  return compiled
}

function matcherOf(pattern: string): LineMatcher {
  const known = matchers.get(pattern)
  if (known) return known
  const matcher = compile(pattern, { smartCase: true })
  const oldest = matchers.keys().next().value
  if (matchers.size >= MATCHERS_KEPT && oldest !== undefined) matchers.delete(oldest)
  matchers.set(pattern, matcher)
  return matcher
}
