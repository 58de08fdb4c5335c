import type { LogKind } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { createMatcher } from '../signature/run-matcher.ts'
import { BlockCutter } from '../text/blocks.ts'
import { printable } from '../text/printable.ts'
import { createFailureFinder } from '../triage/failure-finder.ts'

/** Whether a log that belongs to no run here holds a known failure. */
export interface LogKnown {
  readonly answer: 'known' | 'not'
  readonly words: string
  readonly lines: number
  readonly bytes: number
  /** Each known failure at its first line that a cause has. */
  readonly matches: readonly (Pick<Signature, 'id' | 'title' | 'bugs' | 'advice'> & {
    readonly line: number
    readonly text: string
    readonly cause: string
    /** The failure was over before the log ended. */
    readonly recovered: boolean
  })[]
  /** The line that it seems to have failed with, where nothing is known. */
  readonly failure?: { readonly line: number; readonly text: string }
  /** A file was read to its end, or there is no answer. */
  readonly partial: readonly []
}

const LOG = { name: 'build-log.txt', kind: 'build-log' as LogKind }

/** Matches each line by the signatures' rules. Which kind of log it is nobody knows: signatures look at all. */
export async function logKnown(signatures: readonly Signature[], chunks: AsyncIterable<Uint8Array>): Promise<LogKnown> {
  const anywhere = signatures.map((signature) => ({ ...signature, logs: [] }))
  const matching = createMatcher({ signatures: anywhere, problems: [] }).startRun({
    ...{ bucket: 'file://', path: '-', job: '', result: 'failure', time: 0 },
  })
  const finder = createFailureFinder()
  const readers = [matching.startLog(LOG), finder.startLog(LOG)]
  const cutter = new BlockCutter()
  for await (const chunk of chunks)
    for (const block of cutter.push(chunk)) for (const reader of readers) reader?.block(block)
  for (const block of cutter.end()) for (const reader of readers) reader?.block(block)
  for (const reader of readers) reader?.end()
  const named = new Map(signatures.filter(({ part }) => !part).map((signature) => [signature.id, signature]))
  const matches = matching.finish({ complete: false }).hits.flatMap(({ signature, line, text, cause, recovered }) => {
    const { id, title, bugs, advice } = named.get(signature) ?? {}
    if (id === undefined || title === undefined || bugs === undefined) return []
    return [
      { id, title, bugs, ...(advice !== undefined && { advice }), line, text, cause, recovered: recovered === true },
    ]
  })
  const died = [...new Set(matches.filter(({ recovered }) => !recovered).map(({ title }) => title))]
  const failure = finder.finish()
  return {
    answer: died.length > 0 ? 'known' : 'not',
    words: died.length > 0 ? `known: ${died.join('; ')}` : `not known: no signature matches its ${cutter.lines} lines`,
    lines: cutter.lines,
    bytes: cutter.bytes,
    matches,
    ...(failure && died.length === 0 && { failure: { line: failure.line, text: failure.text } }),
    partial: [],
  }
}

/** For terminals: what is said first, then a line a fact. */
export function logText({ words, matches, failure }: LogKnown): string {
  const lines = [
    words,
    ...matches.flatMap(({ id, title, bugs, line, text, recovered }) => [
      `  ${recovered ? 'struck by' : 'died of'}: ${title} (${id})`,
      ...bugs.map((bug) => `  bug: ${bug}`),
      `  line: ${line}: ${text}`,
    ]),
    ...(failure ? [`  failed with: ${failure.line}: ${failure.text.split('\n')[0]}`] : []),
  ]
  return lines.map((line) => `${printable(line)}\n`).join('')
}
