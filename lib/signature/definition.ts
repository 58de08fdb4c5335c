import { createHash } from 'node:crypto'
import type { Signature } from '../model/signature.ts'

/** Hash of what decides a signature's hits, 16 hex digits: titles, owners and changes may be edited without a new match. */
export function definitionOf(signature: Omit<Signature, 'definition'>): string {
  const { regexes, excludes, excludeJobs, logs, causes, witness, clock, part, yieldsTo } = signature
  const rules = [
    regexes,
    excludes,
    excludeJobs,
    logs,
    causes.map(({ id, regex }) => [id, regex]),
    // Before 2026-12 hits did not tell whether the witness showed again.
    witness === undefined ? null : [witness, 'recovered'],
    clock ? [clock.start, clock.everySeconds] : null,
    part ? [part.of, part.causes] : null,
    yieldsTo,
  ]
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 16)
}
