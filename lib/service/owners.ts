import { ascending, rollups } from 'd3-array'
import { ProwlError } from '../errors.ts'
import type { Signature } from '../model/signature.ts'

/** Stands for those without an owner. */
export const NOBODY = 'none'

export interface Owner {
  /** As signatures name it, or `none`. */
  readonly owner: string
  readonly signatures: number
}

/** Who owns these signatures, by name; those that nobody owns last. */
export function ownersOf(signatures: readonly Pick<Signature, 'owner'>[]): Owner[] {
  return rollups(
    signatures,
    (own) => own.length,
    ({ owner = NOBODY }) => owner,
  )
    .map(([owner, count]) => ({ owner, signatures: count }))
    .sort((a, b) => Number(a.owner === NOBODY) - Number(b.owner === NOBODY) || ascending(a.owner, b.owner))
}

/** Whether a signature is one of the owner's; without one, each is. Throws QUERY_INVALID where it owns none of them. */
export function ownedBy(
  signatures: readonly Pick<Signature, 'owner'>[],
  owner: string | undefined,
): (signature: Pick<Signature, 'owner'>) => boolean {
  if (!owner) return () => true
  const owners = ownersOf(signatures).map((each) => each.owner)
  if (signatures.length > 0 && !owners.includes(owner))
    throw new ProwlError('QUERY_INVALID', `owner: owns no signature; name one of ${owners.join(', ')}`)
  return (signature) => (signature.owner ?? NOBODY) === owner
}
