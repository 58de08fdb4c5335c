import { isProwlError } from '../errors.ts'
import type { Signature } from '../model/signature.ts'
import { compile } from '../regex/compile.ts'
import { compileSignature } from './compiled.ts'
import { matchSignature } from './line-match.ts'

/** What is wrong with an entry, and where in it. */
export interface Fault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What is wrong with a signature's patterns, else with its samples. */
export function checkSignature(signature: Signature): Fault[] {
  const patterns = checkPatterns(signature)
  return patterns.length > 0 ? patterns : checkSamples(signature)
}

function checkPatterns({ regexes, excludes, excludeJobs, witness, clock, changes }: Signature): Fault[] {
  const list = (key: string, patterns: readonly string[]) =>
    patterns.map((pattern, index) => ({ path: [key, index], pattern }))
  const all = [
    ...list('regexes', regexes),
    ...list('excludes', excludes),
    ...list('exclude_jobs', excludeJobs),
    ...changes.flatMap(({ scope }) => (scope?.jobs ?? []).map((pattern) => ({ path: ['changes'], pattern }))),
    ...(witness === undefined ? [] : [{ path: ['witness'], pattern: witness }]),
    ...(clock ? [{ path: ['clock', 'start'], pattern: clock.start }] : []),
  ]
  const faults = all.flatMap(({ path, pattern }) => {
    const message = patternProblem(pattern)
    return message === undefined ? [] : [{ path, message }]
  })
  if (faults.length === 0 && clock && !/\(\?P?<time>/.test(clock.start)) {
    faults.push({ path: ['clock', 'start'], message: 'must capture the group `time`' })
  }
  return faults
}

/** Why a pattern can't be used, with its position; undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    if (!isProwlError(error)) throw error
    return error.position === undefined ? error.message : `${error.message} (at character ${error.position + 1})`
  }
}

function checkSamples(signature: Signature): Fault[] {
  const compiled = compileSignature(signature)
  const matches = (sample: string) => {
    const match = matchSignature(compiled, sample)
    return match !== undefined && (signature.part === undefined || signature.part.causes.includes(match.cause))
  }
  const { match, noMatch } = signature.samples
  return [
    ...match.flatMap((sample, index) =>
      matches(sample)
        ? []
        : [{ path: ['samples', 'match', index], message: `must match but does not: ${brief(sample)}` }],
    ),
    ...noMatch.flatMap((sample, index) =>
      matches(sample)
        ? [{ path: ['samples', 'no_match', index], message: `must not match but does: ${brief(sample)}` }]
        : [],
    ),
  ]
}

function brief(sample: string): string {
  return JSON.stringify(sample.length > 120 ? `${sample.slice(0, 119)}…` : sample)
}
