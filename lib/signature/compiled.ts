import type { Plan } from '../model/plan.ts'
import type { Cause, Signature } from '../model/signature.ts'
import { compile, type LineMatcher } from '../regex/compile.ts'
import { planOf } from '../regex/plan.ts'

/** A pattern with what it demands of a block's grams: most blocks need not be matched. */
export interface PlannedMatcher extends LineMatcher {
  readonly plan: Plan
}

/** A signature's patterns, compiled. */
export interface CompiledSignature {
  readonly signature: Signature
  readonly regexes: readonly PlannedMatcher[]
  readonly excludes: readonly LineMatcher[]
  readonly excludeJobs: readonly LineMatcher[]
  readonly causes: readonly { readonly id: string; readonly regex: LineMatcher }[]
  readonly witness: PlannedMatcher | undefined
  readonly clock: { readonly start: PlannedMatcher; readonly everyMs: number } | undefined
}

const compiled = new WeakMap<Signature, CompiledSignature>()

/** Compiles once per signature object. Throws REGEX_* for a pattern that does not parse (the catalogue has checked). */
export function compileSignature(signature: Signature): CompiledSignature {
  const known = compiled.get(signature)
  if (known) return known
  const all = (patterns: readonly string[]) => patterns.map((pattern) => compile(pattern))
  const fresh: CompiledSignature = {
    signature,
    regexes: signature.regexes.map(planned),
    excludes: all(signature.excludes),
    excludeJobs: all(signature.excludeJobs),
    causes: signature.causes.map(({ id, regex }) => ({ id, regex: compile(regex) })),
    witness: signature.witness === undefined ? undefined : planned(signature.witness),
    clock: signature.clock && {
      start: planned(signature.clock.start),
      everyMs: signature.clock.everySeconds * 1000,
    },
  }
  compiled.set(signature, fresh)
  return fresh
}

function planned(pattern: string): PlannedMatcher {
  return { ...compile(pattern), plan: planOf(pattern).plan }
}

export interface TextMatch {
  readonly cause: Cause['id']
  readonly groups: Readonly<Record<string, string | undefined>>
  /** Where the match begins in the text, in UTF-16 units. */
  readonly from: number
}

/** The signature's first regex that matches, unless an exclude does too; captures by re2js. */
export function findMatch(compiled: CompiledSignature, text: string): TextMatch | undefined {
  const regex = compiled.regexes.find((candidate) => candidate.test(text))
  if (!regex || isExcluded(compiled, text)) return undefined
  return describeMatch(compiled, regex, text)
}

export function isExcluded(compiled: CompiledSignature, text: string): boolean {
  return compiled.excludes.some((exclude) => exclude.test(text))
}

/** Captures and cause of a text that `regex` is known to match. */
export function describeMatch(compiled: CompiledSignature, regex: LineMatcher, text: string): TextMatch | undefined {
  const found = regex.find(text)
  if (!found) return undefined
  return { cause: causeOf(compiled, found.groups.cause), groups: found.groups, from: found.from }
}

/** The id of the first cause that matches the captured text; empty where none does. */
function causeOf({ causes }: CompiledSignature, text: string | undefined): string {
  if (text === undefined) return ''
  return causes.find(({ regex }) => regex.test(text))?.id ?? ''
}
