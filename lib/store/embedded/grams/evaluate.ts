import type { Plan } from '../../../model/plan.ts'
import type { Database } from '../database.ts'
import type { ChunkReader } from './chunks.ts'
import { chunkAt, type Segment } from './segments.ts'

type Bits = Uint32Array

/**
 * Ordinals, ascending, of the segment's blocks that may satisfy the plan; undefined for all of them. Throws Damaged.
 * Lists that were dropped count as held by every block.
 */
export function matchingOrdinals(db: Database, segment: Segment, plan: Plan): number[] | undefined {
  const ordinals = new Uint32Array(segment.blocks)
  const words = (segment.blocks + 31) >> 5

  const seek = (gram: number): ChunkReader | undefined => {
    const chunk = chunkAt(db, segment, gram)
    return chunk.seek(gram) ? chunk : undefined
  }
  const bitsOf = (list: ChunkReader | undefined): Bits | undefined => {
    const count = list ? list.read(ordinals) : 0
    if (count === undefined) return undefined
    const bits = new Uint32Array(words)
    for (let i = 0; i < count; i++) {
      const ordinal = ordinals[i] as number
      bits[ordinal >> 5] = (bits[ordinal >> 5] as number) | (1 << (ordinal & 31))
    }
    return bits
  }
  const evaluate = (part: Plan): Bits | undefined => {
    switch (part.kind) {
      case 'all':
        return undefined
      case 'none':
        return new Uint32Array(words)
      case 'gram':
        return bitsOf(seek(part.gram))
      case 'and':
        return all(part.of)
      case 'or':
        return any(part.of)
    }
  }
  // All lists are found before one is read: a gram that no block has ends it, and the shortest list leaves the least.
  const all = (parts: readonly Plan[]): Bits | undefined => {
    const lists: ChunkReader[] = []
    for (const part of parts) {
      if (part.kind !== 'gram') continue
      const list = seek(part.gram)
      if (!list) return new Uint32Array(words)
      lists.push(list)
    }
    let left: Bits | undefined
    const narrow = (bits: Bits | undefined) => {
      if (bits && left) intersect(left, bits)
      else left ??= bits
      return !left || left.some((word) => word !== 0)
    }
    const nested = parts.filter((part) => part.kind !== 'gram')
    if (lists.sort((a, b) => a.length - b.length).every((list) => narrow(bitsOf(list))))
      nested.every((part) => narrow(evaluate(part)))
    return left
  }
  const any = (parts: readonly Plan[]): Bits | undefined => {
    const found = new Uint32Array(words)
    for (const part of parts) {
      const bits = evaluate(part)
      if (!bits) return undefined
      unite(found, bits)
    }
    return found
  }
  const bits = evaluate(plan)
  return bits && setOrdinals(bits)
}

/** The same plan, in the order in which it is soonest known that no block is left: large grams (of two words) first. */
export function inReadingOrder(plan: Plan): Plan {
  if (plan.kind !== 'and' && plan.kind !== 'or') return plan
  const rank = (part: Plan) => (part.kind === 'gram' ? -part.gram : 0)
  return { kind: plan.kind, of: plan.of.map(inReadingOrder).sort((a, b) => rank(a) - rank(b)) }
}

function intersect(left: Bits, right: Bits): void {
  for (let i = 0; i < left.length; i++) left[i] = (left[i] as number) & (right[i] as number)
}

function unite(left: Bits, right: Bits): void {
  for (let i = 0; i < left.length; i++) left[i] = (left[i] as number) | (right[i] as number)
}

function setOrdinals(bits: Bits): number[] {
  const ordinals: number[] = []
  for (let at = 0; at < bits.length; at++) {
    for (let word = bits[at] as number; word !== 0; word &= word - 1) {
      ordinals.push(at * 32 + (31 - Math.clz32(word & -word)))
    }
  }
  return ordinals
}
