import { loadTrackers } from '../deployment/deployments.ts'
import { bugAddress } from '../deployment/trackers.ts'
import { bugName } from '../evidence/bug-key.ts'
import { headline } from '../evidence/words.ts'
import type { Evidence } from '../model/evidence.ts'
import type { Incident } from '../model/incident.ts'
import type { Signature } from '../model/signature.ts'
import type { Context } from './context.ts'
import { signatureView } from './signature.ts'

const SIGNATURES = 10
const INCIDENTS = 5
const EVIDENCE = 20

/** What became of a bug's failure, for the one who opens it again months later. */
export interface BugView {
  /** As pages write it; absent where the text names no bug. */
  readonly name?: string
  readonly given: string
  readonly address?: string
  readonly signatures: readonly BugSignature[]
  readonly moreSignatures: number
  /** The newest first. */
  readonly evidence: readonly BugEvidence[]
}

export interface BugSignature {
  readonly signature: Signature
  /** The verdict, as its own page says it. */
  readonly sentences: readonly string[]
  /** The newest first. */
  readonly incidents: readonly Incident[]
}

export interface BugEvidence extends Pick<Evidence, 'id' | 'frozenAt'> {
  readonly headline: string
}

/** By any name of a bug (lib/evidence/bug-key.ts) or its address. A bug that nothing here names has empty lists. */
export async function bugView(ctx: Context, given: string): Promise<BugView> {
  const name = bugName(given)
  if (name === undefined) return { given, signatures: [], moreSignatures: 0, evidence: [] }
  const named = await signaturesOf(ctx, name)
  const views = await Promise.all(named.slice(0, SIGNATURES).map(({ id }) => signatureView(ctx, id)))
  const own = named.flatMap(({ bugs }) => bugs).find((bug) => bugName(bug) === name)
  const address = own ?? bugAddress(loadTrackers(ctx.config.deploymentsFile), name)
  return {
    name,
    given,
    ...(address !== undefined && { address }),
    signatures: views.map(({ signature, sentences, incidents }) => ({
      signature,
      sentences,
      incidents: incidents.slice(-INCIDENTS).reverse(),
    })),
    moreSignatures: Math.max(0, named.length - SIGNATURES),
    evidence: await evidenceOf(ctx, name, named),
  }
}

/** A part inherits its parent's bugs: it is shown where its parent is not. */
export async function signaturesOf(ctx: Pick<Context, 'catalogue'>, name: string): Promise<Signature[]> {
  const { signatures } = await ctx.catalogue()
  const named = signatures.filter(({ bugs }) => bugs.some((bug) => bugName(bug) === name))
  const ids = new Set(named.map(({ id }) => id))
  return named.filter(({ part }) => !ids.has(part?.of ?? ''))
}

/** What was frozen of its signatures, or under its name while they still had it. */
async function evidenceOf({ store }: Context, name: string, signatures: readonly Signature[]): Promise<BugEvidence[]> {
  const filters = [
    { bug: name },
    ...signatures.flatMap(({ id, replaces }) => [id, ...replaces].map((signature) => ({ signature }))),
  ]
  const lists = await Promise.all(filters.map((filter) => store.listEvidence(filter, { limit: EVIDENCE })))
  const all = new Map(lists.flatMap(({ items }) => items).map((evidence) => [evidence.id, evidence]))
  return [...all.values()]
    .sort((a, b) => b.frozenAt - a.frozenAt || (a.id < b.id ? -1 : 1))
    .slice(0, EVIDENCE)
    .map((evidence) => ({ id: evidence.id, frozenAt: evidence.frozenAt, headline: headline(evidence)[0] }))
}
