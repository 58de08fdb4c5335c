import type { Signature } from '../model/signature.ts'
import type { Catalogue } from './catalogue.ts'

export interface Affected {
  /** Ids whose hits, tracks and exposure may be others now: families whole, as a part's findings are its parent's. */
  readonly ids: readonly string[]
  /** Those and what they yield to: what has to be matched to know. */
  readonly catalogue: Catalogue
}

/** What changes where these signatures do. */
export function affectedBy(changed: ReadonlySet<string>, { signatures }: Catalogue): Affected {
  const familyOf = ({ id, part }: Signature) => part?.of ?? id
  const roots = new Set(signatures.filter(({ id }) => changed.has(id)).map(familyOf))
  const yielding = signatures.filter(({ yieldsTo }) => yieldsTo.some((id) => changed.has(id))).map(familyOf)
  const families = new Set([...roots, ...yielding])
  const affected = signatures.filter((signature) => families.has(familyOf(signature)))
  const needed = new Set([...affected.map(({ id }) => id), ...affected.flatMap(({ yieldsTo }) => yieldsTo)])
  return {
    ids: affected.map(({ id }) => id),
    catalogue: { signatures: signatures.filter(({ id }) => needed.has(id)), problems: [] },
  }
}
