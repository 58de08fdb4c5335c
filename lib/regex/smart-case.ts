import { contains } from './code-points.ts'
import type { Parsed } from './parse.ts'
import { uppercasePoints } from './unicode.ts'

/**
 * Whether smart case ignores case, by the rule of ripgrep's `--smart-case`: the pattern has a literal character and no
 * uppercase one. Characters in classes and those written as escapes (`\x41`) count; `\S`, `\pL` and `[[:upper:]]` don't.
 */
export function ignoresCase(literals: Parsed['literals']): boolean {
  if (literals.size === 0) return false
  const uppercase = uppercasePoints()
  for (const point of literals) if (contains(uppercase, point)) return false
  return true
}
