/** Ids after one and before another. */
export interface Gap {
  readonly after: number
  readonly before: number
}

/** Where ids may be outside of all segments, which come by range; the last gap has no end. */
export function gapsBetween(segments: readonly { readonly first: number; readonly last: number }[]): Gap[] {
  const afters = [0, ...segments.map(({ last }) => last)]
  const befores = [...segments.map(({ first }) => first), Number.MAX_SAFE_INTEGER]
  return afters
    .map((after, i) => ({ after, before: befores[i] ?? after }))
    .filter(({ after, before }) => before - after > 1)
}
