import type { Plan } from '../model/plan.ts'

/** Grams of a text. */
export interface Grams {
  has(gram: number): boolean
}

/** Whether a text of these grams satisfies the plan. */
export function satisfies(grams: Grams, plan: Plan): boolean {
  switch (plan.kind) {
    case 'all':
      return true
    case 'none':
      return false
    case 'gram':
      return grams.has(plan.gram)
    case 'and':
      return plan.of.every((part) => satisfies(grams, part))
    case 'or':
      return plan.of.some((part) => satisfies(grams, part))
  }
}

/** Grams in ascending order, as gramsOf gives them. */
export function sortedGrams(grams: Uint32Array): Grams {
  return {
    has(gram) {
      let [low, high] = [0, grams.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((grams[middle] as number) < gram) low = middle + 1
        else high = middle
      }
      return grams[low] === gram
    },
  }
}
