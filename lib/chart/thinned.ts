import { group, least } from 'd3-array'

/**
 * Marks that fall into the same `px` pixels as one, that which `compare` puts first, with the number of the others: years of
 * a failure that strikes each hour are more marks than pixels.
 */
export function thinned<T extends { readonly x: number }>(
  marks: readonly T[],
  px: number,
  compare: (a: T, b: T) => number,
): (T & { readonly more: number })[] {
  return [...group(marks, ({ x }) => Math.floor(x / px)).values()].flatMap((together) => {
    const first = least(together, compare)
    return first ? [{ ...first, more: together.length - 1 }] : []
  })
}

interface Weighed {
  readonly counted: boolean
  readonly runs: number
}

/** Those that count first, then those that hit most runs. */
export function byWeight(a: Weighed, b: Weighed): number {
  return Number(b.counted) - Number(a.counted) || b.runs - a.runs
}
