import type { Block } from '../model/block.ts'
import type { FailureLine, LogKind, RunResult } from '../model/run.ts'
import type { LogMatcher } from '../signature/log-matcher.ts'
import { preferred } from '../signature/run-matcher.ts'
import { matchText } from '../text/match-text.ts'
import { shownText } from '../text/printable.ts'
import { FAILURE_RULES, type FailureRule } from './failure-rules.ts'
import { groupOf } from './fold.ts'

/** Lines after a failure among which its detail is looked for. */
const DETAIL_WITHIN = 12
const MAX_TEXT = 500
/** Characters kept before what was looked for, of a line that is cut. */
const BEFORE = 200
const KINDS: readonly LogKind[] = ['build-log', 'step-log', 'junit', 'clone-log', 'prow']

export interface FailureFinder {
  /** Undefined where logs of this kind say nothing of the sort. Logs may be read side by side. */
  startLog(log: { readonly name: string; readonly kind: LogKind }): LogMatcher | undefined
  /** The best of all logs. */
  finish(): FailureLine | undefined
}

/** Failed as every page counts it: aborted and lost runs are neither failed nor passed. */
export function isFailed(result: string): result is Extract<RunResult, 'failure' | 'error'> {
  return result === 'failure' || result === 'error'
}

/** Looks for the line that says why a run failed. */
export function createFailureFinder(): FailureFinder {
  const logs: LogFailure[] = []
  return {
    startLog({ name, kind }) {
      if (!KINDS.includes(kind)) return undefined
      const log = new LogFailure(name, kind)
      logs.push(log)
      return log
    },
    finish() {
      const found = logs.filter(({ found }) => found !== undefined)
      const [best] = found.sort((a, b) => a.rank - b.rank || preferred(a.name, b.name))
      return best?.line()
    },
  }
}

interface Found {
  readonly line: number
  readonly text: string
  readonly detail?: string
}

class LogFailure implements LogMatcher {
  readonly name: string
  /** Place in the rules of what was found; their number before anything was. */
  rank = FAILURE_RULES.length
  found: Found | undefined
  readonly #rules: readonly (readonly [rank: number, rule: FailureRule])[]
  /** The last rule matched still wants its detail from so many lines. */
  #wanted: { readonly detail: NonNullable<FailureRule['detail']>; left: number } | undefined

  constructor(name: string, kind: LogKind) {
    this.name = name
    this.#rules = [...FAILURE_RULES.entries()].filter(([, { kinds }]) => kinds?.includes(kind) ?? true)
  }

  block({ bytes, ascii, firstLine, window = 0 }: Block): void {
    if (window > 0) return
    const text = matchText(bytes, ascii)
    this.#findDetail(text, firstLine)
    for (const [rank, { needles, like, detail }] of this.#rules) {
      if (rank >= this.rank) return
      const match = needles.some((needle) => text.includes(needle)) ? like.exec(text) : undefined
      if (!match) continue
      const start = text.lastIndexOf('\n', match.index - 1) + 1
      const end = endOfLine(text, match.index)
      const line = firstLine + countNewlines(text, start)
      this.rank = rank
      this.found = {
        line,
        text: text.slice(end - start > MAX_TEXT ? Math.max(start, match.index - BEFORE) : start, end),
      }
      this.#wanted = detail && { detail, left: DETAIL_WITHIN }
      this.#findDetail(text.slice(end + 1), line + 1)
      return
    }
  }

  end(): void {}

  line(): FailureLine {
    const { line, text, detail } = this.found ?? { line: 1, text: '' }
    const said = [text, ...(detail === undefined ? [] : [detail])].map(shown).join('\n')
    return { log: this.name, line, text: said, group: groupOf(said) }
  }

  #findDetail(text: string, firstLine: number): void {
    if (!this.#wanted || !this.found) return
    const { detail, left } = this.#wanted
    const lines = firstLines(text, left)
    const at = lines.findIndex((line) => detail.like.test(line))
    this.#wanted.left -= lines.length
    const said = lines[at]
    if (said !== undefined) {
      const { found } = this
      this.found = detail.as === 'beside' ? { ...found, detail: said } : { line: firstLine + at, text: said }
    }
    if (said !== undefined || this.#wanted.left <= 0) this.#wanted = undefined
  }
}

/** Without splitting all of it. */
function firstLines(text: string, count: number): string[] {
  const lines: string[] = []
  for (let from = 0; lines.length < count && from < text.length; ) {
    const end = endOfLine(text, from)
    lines.push(text.slice(from, Math.min(end, from + 2 * MAX_TEXT)))
    from = end + 1
  }
  return lines
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function countNewlines(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** One line that may be shown anywhere, of bounded length. */
function shown(line: string): string {
  const plain = line.slice(0, 2 * MAX_TEXT).replace(/[^\P{Cc}\t]/gu, ' ')
  return shownText(plain.trim().slice(0, MAX_TEXT))
}
