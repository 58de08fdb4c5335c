import { random } from '#lib/testing/sample/random.ts'
import type { LogPlan } from './log-text.ts'
import { NEEDLES, type Needle, type NeedleName } from './needles.ts'

/** Runs of the corpus lie on days from this one on. */
const FIRST_DAY = Date.UTC(2026, 2, 1)
const DAY_MS = 86_400_000
const RUN_MS = 3_600_000

const MEDIAN = 334_000
/** Of the log-normal sizes: about a thousand logs a GiB. */
const SIGMA = 1.5
const SMALLEST = 10_000
const LARGEST = 48_000_000

/** The logs of one day, from 10 KB to 48 MB, half below 334 KB, `bytes` in all to within a line each. */
export function planDay(seed: number, day: number, bytes: number): LogPlan[] {
  const rng = random(seed, 'sizes', day)
  const sizes: number[] = []
  for (let left = bytes; left > 0; left -= sizes.at(-1) ?? 0) {
    const normal = Math.sqrt(-2 * Math.log(1 - rng.unit())) * Math.cos(2 * Math.PI * rng.unit())
    const drawn = Math.round(MEDIAN * Math.exp(SIGMA * normal))
    sizes.push(Math.min(Math.max(drawn, SMALLEST), LARGEST, Math.max(SMALLEST, Math.floor(bytes / 4)), left))
  }
  const held = heldBy(sizes.length)
  return sizes.map((size, index) => ({
    day,
    index,
    bytes: size,
    start: FIRST_DAY + day * DAY_MS + Math.floor(((DAY_MS - RUN_MS) * index) / sizes.length),
    holds: held[index] ?? [],
  }))
}

/** Needles of a fixed number, spread evenly; of the others, one in any corpus. */
function heldBy(logs: number): NeedleName[][] {
  const held: NeedleName[][] = Array.from({ length: logs }, () => [])
  for (const [name, { times = 1 }] of Object.entries<Needle>(NEEDLES))
    for (let nth = 0; nth < times; nth++) held[Math.floor(((nth + 0.5) * logs) / times)]?.push(name as NeedleName)
  return held
}
