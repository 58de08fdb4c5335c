import type { LogKind } from '#lib/model/run.ts'

/** Below the run: `*` stands for anything but `/`, `**` for any directories. */
export const DEFAULT_LOG_GLOBS = [
  'build-log.txt',
  '*-build-log.txt',
  'clone-log.txt',
  'artifacts/ci-operator.log',
  'artifacts/*/container-logs/lease.log',
  'artifacts/*/*/build-log.txt',
  'artifacts/**/junit*.xml',
] as const

export interface LogGlobs {
  matches(name: string): boolean
  /** Whether a log may lie below this directory, given without its last `/`. */
  mayHold(directory: string): boolean
}

export function logGlobs(globs: readonly string[]): LogGlobs {
  const all = globs.map((glob) => glob.split('/').map(segment))
  return {
    matches: (name) => all.some((pattern) => isMatch(pattern, name.split('/'))),
    mayHold: (directory) => all.some((pattern) => goesOn(pattern, directory.split('/'))),
  }
}

type Segment = RegExp | '**'

function segment(text: string): Segment {
  if (text === '**') return '**'
  return new RegExp(`^${text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '[^/]*')}$`, 's')
}

function isMatch([first, ...others]: readonly Segment[], parts: readonly string[]): boolean {
  const [part, ...below] = parts
  if (first === undefined) return part === undefined
  if (first === '**') return isMatch(others, parts) || (part !== undefined && isMatch([first, ...others], below))
  return part !== undefined && first.test(part) && isMatch(others, below)
}

/** Whether something below these parts can match. */
function goesOn([first, ...others]: readonly Segment[], [part, ...below]: readonly string[]): boolean {
  if (first === undefined) return false
  if (part === undefined || first === '**') return true
  return first.test(part) && goesOn(others, below)
}

const KINDS: readonly (readonly [RegExp, LogKind])[] = [
  [/^(?:[^/]+-)?build-log\.txt$/, 'build-log'],
  [/^clone-log\.txt$/, 'clone-log'],
  [/^artifacts\/ci-operator\.log$/, 'ci-operator'],
  [/\/container-logs\/[^/]+$/, 'container-log'],
  [/\.xml$/, 'junit'],
]

/** Any other log under artifacts/ is a step's. */
export function logKind(name: string): LogKind {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'step-log'
}
