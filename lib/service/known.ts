import pLimit from 'p-limit'
import { runText } from '../incident/runs.ts'
import type { EvidenceLine } from '../model/evidence.ts'
import type { RunKey } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import type { StoredRun } from '../store/store.ts'
import type { Context } from './context.ts'

const DEADLINE_MS = 2000
const RUNS_AT_ONCE = 8

export interface KnownSignature {
  readonly signature: Signature
  /** Of the lines asked about, those that are hits of it or match it. */
  readonly lines: number
}

/** Signatures that know some of these lines, by their hits and by their regexes of today; most lines first. */
export async function knownSignatures(
  ctx: Pick<Context, 'store' | 'catalogue' | 'searcher'>,
  lines: readonly EvidenceLine[],
  runs?: ReadonlyMap<string, StoredRun>,
): Promise<KnownSignature[]> {
  if (lines.length === 0) return []
  const catalogue = await ctx.catalogue()
  const texts = lines.map(({ text }) => text)
  const [stored, matched] = await Promise.all([
    runs ?? storedRuns(ctx, lines),
    ctx.searcher.known(catalogue, texts, { deadlineMs: DEADLINE_MS }),
  ])
  const whole = catalogue.signatures.filter(({ part }) => !part)
  const found = whole
    .map((signature) => {
      const isHit = ({ log, line, ...key }: EvidenceLine) =>
        stored
          .get(runText(key))
          ?.hits.some((hit) => hit.signature === signature.id && hit.log === log && hit.line === line) === true
      const known = lines.filter((line, i) => matched[i]?.includes(signature.id) || isHit(line))
      return { signature, lines: known.length }
    })
    .filter((known) => known.lines > 0)
  // What yields to one that knows these lines leaves them to it.
  return found
    .filter(({ signature, lines: own }) => {
      return !found.some((other) => other.lines >= own && signature.yieldsTo.includes(other.signature.id))
    })
    .sort((a, b) => b.lines - a.lines)
}

/** Runs as they are stored now; those that are not are left out. */
export async function storedRuns(
  { store }: Pick<Context, 'store'>,
  keys: readonly RunKey[],
): Promise<Map<string, StoredRun>> {
  const limit = pLimit(RUNS_AT_ONCE)
  const wanted = [...new Map(keys.map((key) => [runText(key), key])).values()]
  const found = await Promise.all(wanted.map(({ bucket, path }) => limit(() => store.run({ bucket, path }))))
  return new Map(found.flatMap((stored) => (stored ? [[runText(stored.run), stored] as const] : [])))
}
