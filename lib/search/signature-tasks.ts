import { type Catalogue, parseCatalogue } from '../signature/catalogue.ts'
import { matchRun } from '../signature/evaluate.ts'
import { matchLine } from '../signature/line-match.ts'
import { createMatcher, type SignatureMatcher } from '../signature/run-matcher.ts'
import { bytesOf } from './block-bytes.ts'
import { CANCELLED, type CatalogueTask, type EvaluateTask, type KnownTask, PROGRESS, type RunOutcome } from './tasks.ts'

const MATCHERS_KEPT = 4
const BLOCKS_A_READ = 16

const matchers = new Map<string, SignatureMatcher>()

export function readCatalogue({ files, signals }: CatalogueTask): Catalogue {
  Atomics.store(signals, PROGRESS, 1)
  return parseCatalogue(files)
}

/** By line, ids in the catalogue's order; none for those after the answer was of no use. */
export function knownLines({ signatures, lines, signals }: KnownTask): string[][] {
  const catalogue: Catalogue = { signatures: JSON.parse(signatures), problems: [] }
  return lines.map((line, i) => {
    if (Atomics.load(signals, CANCELLED) === 1) return []
    Atomics.store(signals, PROGRESS, i + 1)
    return matchLine(catalogue, line).map(({ signature }) => signature)
  })
}

/** None once the answer is of no use. Of blocks that can't all be read nothing is said. */
export async function evaluateRun(task: EvaluateTask): Promise<RunOutcome[]> {
  const { signals, run, blocks } = task
  const matcher = matcherOf(task.signatures)
  let state: RunOutcome['state'] = 'done'
  let at = 0
  Atomics.store(signals, PROGRESS, 1)
  const isOver = () => state !== 'done' || Atomics.load(signals, CANCELLED) === 1
  const { hits } = await matchRun(run, matcher, async ({ name }, take) => {
    const ofLog = blocks.get(name) ?? []
    for (let first = 0; first < ofLog.length && !isOver(); first += BLOCKS_A_READ) {
      const part = ofLog.slice(first, first + BLOCKS_A_READ)
      for (const [index, bytes] of (await bytesOf({ ...task, blocks: part })).entries()) {
        const block = part[index]
        if (!block || isOver()) return
        if (!(bytes instanceof Uint8Array)) state = bytes
        else take({ ...block, bytes })
        Atomics.store(signals, PROGRESS, ++at + 1)
      }
    }
  })
  if (Atomics.load(signals, CANCELLED) === 1) return []
  return [{ state, hits: state === 'done' ? hits : [] }]
}

function matcherOf(signatures: string): SignatureMatcher {
  const known = matchers.get(signatures)
  if (known) return known
  const matcher = createMatcher({ signatures: JSON.parse(signatures), problems: [] })
  const oldest = matchers.keys().next().value
  if (matchers.size >= MATCHERS_KEPT && oldest !== undefined) matchers.delete(oldest)
  matchers.set(signatures, matcher)
  return matcher
}
