/** A set of code points: inclusive ranges as `[from, to, from, to, …]`, ascending, neither touching nor overlapping. */
export type CodePoints = readonly number[]

export const MAX_CODE_POINT = 0x10ffff
export const ALL: CodePoints = [0, MAX_CODE_POINT]

/** The set of the ranges given, which may come in any order, touch and overlap. */
export function codePoints(ranges: readonly number[]): CodePoints {
  const pairs: [number, number][] = []
  for (let i = 0; i + 1 < ranges.length; i += 2) pairs.push([ranges[i] ?? 0, ranges[i + 1] ?? 0])
  pairs.sort((a, b) => a[0] - b[0])
  const set: number[] = []
  for (const [from, to] of pairs) {
    const last = set.at(-1)
    if (last === undefined || from > last + 1) set.push(from, to)
    else if (to > last) set[set.length - 1] = to
  }
  return set
}

export function union(a: CodePoints, b: CodePoints): CodePoints {
  return codePoints([...a, ...b])
}

export function complement(set: CodePoints): CodePoints {
  const gaps: number[] = []
  let from = 0
  for (const [low, high] of rangesOf(set)) {
    if (low > from) gaps.push(from, low - 1)
    from = high + 1
  }
  if (from <= MAX_CODE_POINT) gaps.push(from, MAX_CODE_POINT)
  return gaps
}

export function intersection(a: CodePoints, b: CodePoints): CodePoints {
  return complement(union(complement(a), complement(b)))
}

export function contains(set: CodePoints, point: number): boolean {
  let low = 0
  let high = set.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if ((set[2 * middle + 1] ?? 0) < point) low = middle + 1
    else high = middle
  }
  return (set[2 * low] ?? MAX_CODE_POINT + 1) <= point
}

export function containsAll(set: CodePoints, subset: CodePoints): boolean {
  return intersection(subset, complement(set)).length === 0
}

export function* rangesOf(set: CodePoints): Generator<[from: number, to: number]> {
  for (let i = 0; i + 1 < set.length; i += 2) yield [set[i] ?? 0, set[i + 1] ?? 0]
}
