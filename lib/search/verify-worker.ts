// Before every module that makes a regex.
import './linear-fallback.ts'

import { type FaultyPattern, isProwlError, ProwlError } from '../errors.ts'
import type { BlockRef } from '../model/block.ts'
import { compile, type LineMatcher } from '../regex/compile.ts'
import type { Store } from '../store/store.ts'
import { matchText } from '../text/match-text.ts'
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
  type VerifyTask,
  type WorkerTask,
} from './tasks.ts'
import { capLine, countBlock, verifyBlock } from './verify.ts'

const MATCHERS_KEPT = 64
/** Characters by which a message names one of several patterns. */
const NAMED_CAP = 60
/** A batch gives up its turn after this long, so that searches side by side get theirs. */
const TURN_MS = 100

const matchers = new Map<string, LineMatcher>()
let store: Promise<Store> | undefined

/** What piscina calls: one task of one search. Errors of patterns are answered as data, since classes don't survive. */
export default async function run(task: WorkerTask): Promise<Outcome[] | string[] | Refusal> {
  if (Atomics.load(task.signals, CANCELLED) === 1) return []
  try {
    if (task.kind === 'verify') return await verify(task)
    if (task.kind === 'count') return await count(task)
    if (task.kind === 'lines') return await lines(task)
    return names(task)
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
    const found = verifyBlock(text, block, compiled, { ...task, afterLine, maxLines: task.maxLinesPerBlock })
    room -= found.lines.length
    return { ...outcome, ...found }
  })
}

async function count(task: CountTask): Promise<CountOutcome[]> {
  const compiled = matchersOf(task)
  const none = { counts: compiled.map(() => 0), any: 0 }
  const isFull = () => false
  return await eachBlock(task, isFull, (outcome, block, text) => ({
    ...outcome,
    ...(text ? countBlock(text, block, compiled) : none),
  }))
}

/** Looks at the blocks in turn, until the answer is of no use, the turn is over or `isFull`. */
async function eachBlock<O extends Outcome>(
  task: VerifyTask | CountTask,
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
      name: 'job pattern: ',
      excludeName: 'excluded job pattern: ',
    }[named.parameter]
    const { position } = error
    throw new ProwlError(error.code, `${which}${error.message}`, { cause: error, position, pattern: named })
  }
}

function matchersOf({ patterns, signals }: VerifyTask | CountTask): LineMatcher[] {
  Atomics.store(signals, PROGRESS, COMPILING)
  const compiled = patterns.map(matcherOf)
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

type Text = Uint8Array | 'expired' | 'damaged'

/** Bytes sent along, or read from the day files; a damaged block spoils only itself. */
async function bytesOf({ blocks, dataDir }: { blocks: readonly BlockTask[]; dataDir?: string }): Promise<Text[]> {
  if (dataDir === undefined) return blocks.map((block) => block.bytes ?? 'expired')
  const wanted = blocks.map((block) => block.ref)
  const opened = await openedStore(dataDir)
  try {
    return (await opened.read(wanted)).map((bytes) => bytes ?? 'expired')
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'STORE_CORRUPT') throw error
    return await Promise.all(wanted.map((ref) => readOne(opened, ref)))
  }
}

async function readOne(opened: Store, ref: BlockRef): Promise<Text> {
  try {
    return (await opened.read([ref]))[0] ?? 'expired'
  } catch (error) {
    if (!isProwlError(error) || error.code !== 'STORE_CORRUPT') throw error
    return 'damaged'
  }
}

/** The store, read-only, opened at the first block; a failure is not kept. */
async function openedStore(dataDir: string): Promise<Store> {
  store ??= import('../store/open.ts').then(({ openStore }) => openStore({ dataDir, mode: 'read', thread: false }))
  try {
    return await store
  } catch (error) {
    store = undefined
    throw error
  }
}
