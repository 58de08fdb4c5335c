import type { Hit } from '../model/hit.ts'
import type { Signature } from '../model/signature.ts'

/** Id of the signature whose hits, exposure and tracks are stored: a part has those of its parent. */
export function source(signature: Signature): string {
  return signature.part?.of ?? signature.id
}

/** Those of its source's hits that are a signature's own. */
export function ownHits(signature: Signature, hits: readonly Hit[]): readonly Hit[] {
  const { part } = signature
  return part ? hits.filter((hit) => part.causes.includes(hit.cause)) : hits
}
