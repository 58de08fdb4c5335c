import { createHash } from 'node:crypto'
import { EVIDENCE_VERSION, type EvidenceContent } from '../model/evidence.ts'
import { dayOf } from '../store/order.ts'

interface Range {
  readonly from: number
  readonly to: number
  readonly rolling: boolean
}

/** Douglas Crockford's, in lower case: no letter that is read as another, or as a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const DIGITS = 52
const SHORTEST = 10

/**
 * SHA-256 of the content and of the range it is about, hex. When it was frozen, how complete the data was and what else
 * passes have no part in it: the same answer has the same id. Of a range that ends at the freezing its days count, so
 * that an answer that is the same on another day (a longer quiet) is another evidence.
 */
export function digestOf(content: EvidenceContent, { from, to, rolling }: Range): string {
  const range = rolling ? [dayOf(from), dayOf(to)] : [from, to]
  return createHash('sha256')
    .update(JSON.stringify([EVIDENCE_VERSION, range, content], inOrder))
    .digest('hex')
}

/** The ids that an evidence may have: the shortest first, each of the others only where those before it are taken. */
export function* idsOf(digest: string): Generator<string> {
  const number = BigInt(`0x${digest}`).toString(32).padStart(DIGITS, '0')
  const text = [...number].map((digit) => ALPHABET[Number.parseInt(digit, 32)]).join('')
  for (let length = SHORTEST; length <= DIGITS; length++) yield text.slice(0, length)
}

/** A hash must not depend on how an object came about. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
