import type { Plan } from '../model/plan.ts'
import { isBridge } from '../text/grams.ts'
import type { Planned } from './plan.ts'

/** Places of a trigram in literals that are looked at. */
const MAX_TRIES = 8

/**
 * A plan as one line: `"no route to host" & (eof | reset)`. Trigrams that overlap are put together again to the text they
 * come from; bridges follow as `route~to`.
 */
export function printPlan(planned: Planned): string {
  return print(planned.plan, planned, false)
}

function print(plan: Plan, planned: Planned, inner: boolean): string {
  switch (plan.kind) {
    case 'all':
    case 'none':
      return plan.kind
    case 'gram':
      return textsOf([plan], planned).join()
    case 'and': {
      const others = plan.of.filter(({ kind }) => kind !== 'gram').map((part) => print(part, planned, true))
      const all = [...textsOf(plan.of, planned), ...others]
      return inner && all.length > 1 ? `(${all.join(' & ')})` : all.join(' & ')
    }
    case 'or': {
      const all = plan.of.map((part) => print(part, planned, true))
      return inner ? `(${all.join(' | ')})` : all.join(' | ')
    }
  }
}

/** The texts that the trigrams among these make, quoted, then the bridges. */
export function textsOf(plans: readonly Plan[], planned: Planned): string[] {
  const grams = plans.flatMap((plan) => (plan.kind === 'gram' ? [plan.gram] : []))
  const named = (gram: number) => planned.names.get(gram) ?? '?'
  const trigrams = new Set(grams.filter((gram) => !isBridge(gram)).map(named))
  const texts: string[] = []
  for (const left = new Set(trigrams); left.size > 0; ) {
    const [name = ''] = left
    const text = longestText(planned.literals, name, trigrams)
    for (let at = 0; at + 2 < text.length; at++) left.delete(text.slice(at, at + 3))
    texts.push(JSON.stringify(text))
  }
  return [...texts, ...grams.filter(isBridge).map(named)]
}

/** The longest part of a literal around this trigram of which all trigrams are demanded. */
function longestText(literals: string, name: string, trigrams: ReadonlySet<string>): string {
  let longest = name
  let at = literals.indexOf(name)
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries++) {
    let [from, to] = [at, at + 3]
    while (trigrams.has(literals.slice(from - 1, from + 2))) from--
    while (trigrams.has(literals.slice(to - 2, to + 1))) to++
    if (to - from > longest.length) longest = literals.slice(from, to)
    at = literals.indexOf(name, to)
  }
  return longest
}
