import type { Day } from '../model/run.ts'
import type { OrderKey } from './store.ts'

/** Order of the strings' UTF-8 bytes, which is that of their code points; JavaScript's own is that of UTF-16 units. */
export function compareBytes(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above U+FFFF, so they come after U+E000…U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}

/**
 * The total order: time descending, then bucket, path, log, line ascending. A key without log (or line) stands for the
 * end of its run (or log), and comes after all of it.
 */
export function compareKeys(a: OrderKey, b: OrderKey): number {
  return (
    b.time - a.time ||
    compareBytes(a.bucket, b.bucket) ||
    compareBytes(a.path, b.path) ||
    compareEnds(a.log, b.log, compareBytes) ||
    compareEnds(a.line, b.line, (x, y) => x - y)
  )
}

function compareEnds<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return compare(a, b)
}

/** UTC day of an epoch ms. Throws RangeError outside the years that a Date can hold. */
export function dayOf(time: number): Day {
  return new Date(time).toISOString().slice(0, 10)
}
