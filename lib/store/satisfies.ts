import type { Plan } from '../model/plan.ts'

/** Whether a text of these grams satisfies the plan. */
export function satisfies(grams: ReadonlySet<number>, plan: Plan): boolean {
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
