import type { Candidate } from '../model/block.ts'
import type { OrderKey } from '../store/store.ts'
import type { LinesOutcome } from './tasks.ts'
import type { MatchedLine } from './verify.ts'

/** A matching line with the block it was found in. */
export interface FoundLine extends MatchedLine {
  readonly block: Candidate
  /** Further matching lines of the log, on the last line that the answer holds of it. */
  readonly more: number
}

interface Open {
  readonly key: string
  /** Where the answer ends, should this group not fit. */
  readonly before: OrderKey
  readonly lines: FoundLine[]
  more: number
  lastLine: number
}

/**
 * Gathers one page in the total order. Where `perLog` is at most `limit`, a page holds whole logs (each cut to its
 * first `perLog` lines, the rest counted), so that pages laid end to end give each log once; else it holds lines.
 */
export function createPage({ limit, perLog, start }: { limit: number; perLog: number; start: OrderKey }) {
  const wholeLogs = perLog <= limit
  const lines: FoundLine[] = []
  let position = start
  let group: Open | undefined
  let full: OrderKey | undefined

  const close = () => {
    const last = group?.lines.pop()
    if (group && last) lines.push(...group.lines, { ...last, more: group.more })
    group = undefined
  }
  const add = (block: Candidate, line: MatchedLine) => {
    const log = JSON.stringify([block.bucket, block.path, block.log])
    const key = wholeLogs ? log : `${log}${line.line}`
    if (group?.key !== key) {
      close()
      const before = wholeLogs ? position : { ...keyOf(block), line: line.line - 1 }
      group = { key, before, lines: [], more: 0, lastLine: -1 }
    }
    addTo(group, { ...line, block, more: 0 }, wholeLogs ? perLog : 1)
    if (lines.length + group.lines.length > limit) full = group.before
  }
  return {
    /** Takes the outcome of the next block in order; true once the page is full. */
    add(block: Candidate, { state, lines: found, more }: LinesOutcome): boolean {
      for (const line of found) {
        add(block, line)
        if (full) return true
      }
      if (group && found.length > 0) group.more += more
      // A long line that has not matched yet may do so in its next window.
      const open = block.window !== undefined && state !== 'stuck' && group?.lastLine !== block.firstLine
      position = { ...keyOf(block), line: block.firstLine + block.lineCount - (open ? 2 : 1) }
      return false
    },
    /** The page so far, and where it ended: `full` when there is at least one line more. */
    finish(): { readonly lines: FoundLine[]; readonly position: OrderKey; readonly full: boolean } {
      if (full) return { lines, position: full, full: true }
      close()
      return { lines, position, full: false }
    },
  }
}

/** A line met again is another window of the same long line. */
function addTo(group: Open, line: FoundLine, cap: number): void {
  const again = line.line === group.lastLine
  group.lastLine = line.line
  const last = group.lines.at(-1)
  if (again) {
    if (last?.line === line.line) group.lines[group.lines.length - 1] = merge(last, line)
  } else if (group.lines.length < cap) group.lines.push(line)
  else group.more++
}

function merge(first: FoundLine, again: FoundLine): FoundLine {
  const patterns = [...new Set([...first.patterns, ...again.patterns])].sort((a, b) => a - b)
  return { ...first, patterns }
}

function keyOf({ time, bucket, path, log }: Candidate): OrderKey {
  return { time, bucket, path, log }
}
