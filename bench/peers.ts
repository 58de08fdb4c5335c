import { spawnSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'

/** ripgrep as ci-search calls it; without `-z` where the files are plain. Each gives a number of lines. */
export interface Peers {
  /** Lines that match in ci-search's files: inflated each time. */
  ciSearch(pattern: string): number
  /** Lines that match in the plain files. */
  rg(pattern: string): number
  /** Logs with a matching line in ci-search's files, each left at its first. */
  ciSearchFirst(pattern: string): number
}

/** Matching lines by pattern. */
export type LineCounts = Readonly<Record<string, number>>

const AS_CI_SEARCH = ['--no-config', '-a', '-u', '-S', '--color', 'never', '--no-filename', '-c']
const NO_MATCH = 1
const MAX_OUTPUT = 64 * 1024 * 1024

export function peersOf({ plain, ciSearch }: { readonly plain: string; readonly ciSearch: string }): Peers {
  return {
    ciSearch: (pattern) => count(['-z', '-e', pattern, ciSearch]),
    rg: (pattern) => count(['-e', pattern, plain]),
    ciSearchFirst: (pattern) => count(['-z', '-m1', '-e', pattern, ciSearch]),
  }
}

export function countLines(
  { rg }: Pick<Peers, 'rg'>,
  patterns: readonly string[],
  before: LineCounts = {},
): LineCounts {
  return Object.fromEntries(patterns.map((pattern) => [pattern, (before[pattern] ?? 0) + rg(pattern)]))
}

function count(args: readonly string[]): number {
  const { status, stdout, stderr, error } = spawnSync(rgPath, [...AS_CI_SEARCH, ...args], {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  })
  if (error) throw error
  if (status !== 0 && status !== NO_MATCH) throw new Error(`rg ${args.join(' ')}: ${stderr.trim()}`)
  return stdout.split('\n').reduce((sum, line) => sum + Number(line), 0)
}
