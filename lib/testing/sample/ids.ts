const EPOCH = 1_288_834_974_657n

/**
 * A Prow build id as `tot` gives it (pkg/pjutil/tot.go): 41 bits of ms since the snowflake epoch, node 1, a step.
 * @param ms epoch ms at which the id was given, 2010-11-04 or later
 */
export function snowflake(ms: number, step = 0): string {
  return (((BigInt(ms) - EPOCH) << 22n) | (1n << 12n) | BigInt(step & 4095)).toString()
}

/** Sequential ids of an old job, as given before snowflakes: `first`, `first + 1`, … in order of start. */
export function sequential(first: number): () => string {
  let next = first
  return () => String(next++)
}
