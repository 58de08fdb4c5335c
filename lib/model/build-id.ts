/** Snowflake ids begin at 2010-11-04 (pkg/pjutil/tot.go in kubernetes-sigs/prow); `ms = (id >> 22) + epoch`. */
const EPOCH = 1_288_834_974_657
/** Below this an id is a sequential number, and says nothing of time. */
const FIRST_SNOWFLAKE = 10n ** 15n
const LAST_ID = 2n ** 64n

/** When the id was given, epoch ms; undefined for a sequential number or no id at all. */
export function snowflakeTime(id: string): number | undefined {
  if (!/^\d{16,20}$/.test(id)) return undefined
  const number = BigInt(id)
  return number >= FIRST_SNOWFLAKE && number < LAST_ID ? Number(number >> 22n) + EPOCH : undefined
}

/** The first id that could be given at this time. */
export function snowflakeAt(time: number): string {
  return String(BigInt(Math.max(0, Math.floor(time) - EPOCH)) << 22n)
}

/** Numerically, as Deck sorts builds. */
export function compareIds(a: string, b: string): number {
  const x = BigInt(a)
  const y = BigInt(b)
  return x < y ? -1 : x > y ? 1 : 0
}
