import type { Plan } from '../model/plan.ts'

export const ALL: Plan = { kind: 'all' }
export const NONE: Plan = { kind: 'none' }

/** All of these. */
export function and(plans: readonly Plan[]): Plan {
  const parts = flat('and', plans)
  if (parts.some(({ kind }) => kind === 'none')) return NONE
  const grams = new Set(parts.flatMap((part) => (part.kind === 'gram' ? [part.gram] : [])))
  const reduced = parts.map((part) => (part.kind === 'or' ? without(part, grams) : part))
  const of = flat('and', reduced).filter(({ kind }) => kind !== 'all')
  return of.length === 0 ? ALL : of.length === 1 && of[0] ? of[0] : { kind: 'and', of }
}

/** Any of these; what each of them demands stands before the choice. */
export function or(plans: readonly Plan[]): Plan {
  const of = flat('or', plans).filter(({ kind }) => kind !== 'none')
  if (of.some(({ kind }) => kind === 'all')) return ALL
  const [first, ...others] = of
  if (first === undefined) return NONE
  if (others.length === 0) return first
  const shared = others.map((part) => new Set(gramsOf(part)))
  const common = gramsOf(first).filter((gram) => shared.every((grams) => grams.has(gram)))
  if (common.length === 0) return { kind: 'or', of }
  const known = new Set(common)
  const rest = of.map((part) => without(part, known))
  // Where nothing else is demanded of one, people still read all choices rather than pieces that they share.
  if (rest.includes(ALL)) return { kind: 'or', of }
  return and([...common.map((gram): Plan => ({ kind: 'gram', gram })), or(rest)])
}

/** A choice of which each would demand fewer narrows next to nothing. */
const MIN_CHOICE = 3

/** A weaker plan of about `budget` grams at most. */
export function thin(plan: Plan, budget: number): Plan {
  if (!('of' in plan) || sizeOf(plan) <= budget) return plan
  const { kind, of } = plan
  if (kind === 'or') {
    const share = budget / of.length
    return share < MIN_CHOICE ? ALL : or(of.map((part) => thin(part, share)))
  }
  const kept = evenly(of, budget)
  return and(kept.map((part) => thin(part, budget / kept.length)))
}

/** At most `count` of them, spread over all. */
export function evenly<T>(items: readonly T[], count: number): readonly T[] {
  const step = items.length / Math.max(1, Math.floor(count))
  return step <= 1 ? items : items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

/** What is demanded beyond grams that are demanded anyway. */
function without(plan: Plan, grams: ReadonlySet<number>): Plan {
  if (plan.kind === 'gram') return grams.has(plan.gram) ? ALL : plan
  if (plan.kind === 'or') return or(plan.of.map((part) => without(part, grams)))
  return plan.kind === 'and' ? and(plan.of.map((part) => without(part, grams))) : plan
}

function gramsOf(plan: Plan): number[] {
  if (plan.kind === 'gram') return [plan.gram]
  return plan.kind === 'and' ? plan.of.flatMap((part) => (part.kind === 'gram' ? [part.gram] : [])) : []
}

function flat(kind: 'and' | 'or', plans: readonly Plan[]): Plan[] {
  const parts = plans.flatMap((plan) => (plan.kind === kind ? plan.of : [plan]))
  return [...new Map(parts.map((plan) => [keyOf(plan), plan])).values()]
}

function keyOf(plan: Plan): string | number {
  return plan.kind === 'gram' ? plan.gram : JSON.stringify(plan)
}

function sizeOf(plan: Plan): number {
  return 'of' in plan ? plan.of.reduce((sum, part) => sum + sizeOf(part), 0) : 1
}
