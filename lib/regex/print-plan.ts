import type { Plan } from '../model/plan.ts'
import { BREAK } from '../text/grams.ts'
import type { Planned } from './plan.ts'

/**
 * A plan as one line: `"no route to host" & (eof | reset)`. Trigrams that overlap are put together again to the text they
 * come from; bridges follow as `route~to`.
 */
export function printPlan({ plan, names }: Planned): string {
  return print(plan, names, false)
}

function print(plan: Plan, names: Planned['names'], inner: boolean): string {
  switch (plan.kind) {
    case 'all':
    case 'none':
      return plan.kind
    case 'gram':
      return textsOf([names.get(plan.gram) ?? '?']).join(' & ')
    case 'and': {
      const grams = plan.of.flatMap((part) => (part.kind === 'gram' ? [names.get(part.gram) ?? '?'] : []))
      const others = plan.of.filter(({ kind }) => kind !== 'gram').map((part) => print(part, names, true))
      const all = [...textsOf(grams), ...others]
      return inner && all.length > 1 ? `(${all.join(' & ')})` : all.join(' & ')
    }
    case 'or': {
      const all = plan.of.map((part) => print(part, names, true))
      return inner ? `(${all.join(' | ')})` : all.join(' | ')
    }
  }
}

/** The texts that trigrams make, quoted, then the bridges. */
export function textsOf(grams: readonly string[]): string[] {
  const texts: string[] = []
  const bridges: string[] = []
  for (const name of grams) {
    const last = texts.at(-1)
    if (name.length > 3 && name.includes('~')) bridges.push(name)
    else if (last?.endsWith(name.slice(0, 2))) texts[texts.length - 1] = last + name.slice(2)
    else texts.push(name)
  }
  return [...texts.map((text) => JSON.stringify(text.replaceAll(BREAK, '·'))), ...bridges]
}
