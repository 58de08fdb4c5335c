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
    matches: (name) => all.some((pattern) => walk(pattern, name.split('/')) === 'all'),
    mayHold: (directory) => all.some((pattern) => walk(pattern, directory.split('/')) !== 'none'),
  }
}

type Segment = RegExp | '**'

function segment(text: string): Segment {
  if (text === '**') return '**'
  return new RegExp(`^${text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '[^/]*')}$`, 's')
}

/** `all`: the pattern is used up with the parts; `part`: it could go on. */
function walk(pattern: readonly Segment[], parts: readonly string[]): 'all' | 'part' | 'none' {
  const [first, ...others] = pattern
  const [part, ...below] = parts
  if (part === undefined) return first === undefined ? 'all' : 'part'
  if (first === undefined) return 'none'
  if (first !== '**') return first.test(part) ? walk(others, below) : 'none'
  if (walk(others, parts) === 'all' || walk(pattern, below) === 'all') return 'all'
  return 'part'
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
