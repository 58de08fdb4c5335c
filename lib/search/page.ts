import type { Candidate } from '../model/block.ts'
import type { OrderKey } from '../store/store.ts'
import type { LinesOutcome } from './tasks.ts'
import type { MatchedLine } from './verify.ts'

/** A matching line with the block it was found in. */
export interface FoundLine extends MatchedLine {
  readonly block: Candidate
  /** Further matching lines of the log, on the last line that the answer holds of it. */
  readonly more: number
  /** On the last line of a run that gave as many as one may: it was not looked at further. */
  readonly runFull: boolean
}

interface Open {
  readonly key: string
  /** Where the answer ends, should this group not fit. */
  readonly before: OrderKey
  readonly lines: FoundLine[]
  full: boolean
  log: string
  inLog: number
  lastLine: number
}

interface Limits {
  readonly limit: number
  readonly perLog: number
  readonly perRun: number
  readonly start: OrderKey
}

/**
 * Gathers one page in the total order. Where `perRun` is at most `limit`, a page holds whole runs (each cut to its first
 * `perRun` lines); else, where `perLog` is, whole logs (each cut to its first `perLog`, the rest counted), so that pages
 * laid end to end give each once; else it holds lines.
 */
export function createPage({ limit, perLog, perRun, start }: Limits) {
  const unit = perRun <= limit ? 'run' : perLog <= limit ? 'log' : 'line'
  const caps = {
    log: unit === 'line' || perLog > limit ? Number.POSITIVE_INFINITY : perLog,
    run: unit === 'run' ? perRun : Number.POSITIVE_INFINITY,
  }
  const lines: FoundLine[] = []
  let position = start
  let lineEnd = start
  let group: Open | undefined
  let full: OrderKey | undefined

  const close = () => {
    lines.push(...(group?.lines ?? []))
    group = undefined
  }
  const add = (block: Candidate, line: MatchedLine) => {
    const key = keyIn(unit, block, line)
    if (group?.key !== key) {
      close()
      const before = unit === 'line' ? { ...keyOf(block), line: line.line - 1 } : position
      group = { key, before, lines: [], full: false, log: '', inLog: 0, lastLine: -1 }
    }
    addTo(group, { ...line, block, more: 0, runFull: false }, caps)
    if (lines.length + group.lines.length > limit) full = group.before
  }
  const isFull = (block: Candidate) => group?.full === true && group.key === keyIn(unit, block)
  return {
    /** Takes the outcome of the next block in order; true once the page is full. */
    add(block: Candidate, { state, lines: found, more }: LinesOutcome): boolean {
      for (const line of found) {
        add(block, line)
        if (full) return true
      }
      if (group && found.length > 0) countMore(group, more)
      // A long line that has not matched yet may do so in its next window.
      const open = block.window !== undefined && state !== 'stuck' && group?.lastLine !== block.firstLine
      const line = block.firstLine + block.lineCount - 1
      lineEnd = isFull(block) ? endOfRun(block) : { ...keyOf(block), line }
      position = open && !isFull(block) ? { ...keyOf(block), line: line - 1 } : lineEnd
      return false
    },
    /** Whether a block can add anything: once its run is full, only a further window of the last line. */
    wants: (block: Candidate): boolean => !isFull(block) || isSameLine(group, block),
    /** The page so far, and where it ended: `full` when there is at least one line more. `between`: no line is left amid its windows. */
    finish(between: boolean): { readonly lines: FoundLine[]; readonly position: OrderKey; readonly full: boolean } {
      if (full) return { lines, position: full, full: true }
      close()
      return { lines, position: between ? lineEnd : position, full: false }
    },
  }
}

function keyIn(unit: 'run' | 'log' | 'line', { bucket, path, log }: Candidate, line?: MatchedLine): string {
  return JSON.stringify([bucket, path, ...(unit === 'run' ? [] : [log]), ...(unit === 'line' ? [line?.line] : [])])
}

function isSameLine(group: Open | undefined, { window, log, firstLine }: Candidate): boolean {
  return window !== undefined && group?.log === log && group.lastLine === firstLine
}

/** A line met again is another window of the same long line. */
function addTo(group: Open, line: FoundLine, caps: { readonly log: number; readonly run: number }): void {
  const { log } = line.block
  const isSameLog = log === group.log
  if (isSameLog && line.line === group.lastLine) addWindow(group, line)
  else if (!group.full) {
    group.inLog = isSameLog ? group.inLog + 1 : 1
    group.log = log
    group.lastLine = line.line
    if (group.inLog > caps.log) countMore(group, 1)
    else {
      group.full = group.lines.length + 1 >= caps.run
      group.lines.push({ ...line, runFull: group.full })
    }
  }
}

function addWindow({ lines }: Open, again: FoundLine): void {
  const last = lines.at(-1)
  if (last?.line !== again.line) return
  const patterns = [...new Set([...last.patterns, ...again.patterns])].sort((a, b) => a - b)
  lines[lines.length - 1] = { ...last, patterns }
}

/** On the last line that the group holds of the log. */
function countMore(group: Open, more: number): void {
  const last = group.lines.at(-1)
  if (last && !group.full) group.lines[group.lines.length - 1] = { ...last, more: last.more + more }
}

function endOfRun({ time, bucket, path }: Candidate): OrderKey {
  return { time, bucket, path }
}

function keyOf({ time, bucket, path, log }: Candidate): OrderKey {
  return { time, bucket, path, log }
}
