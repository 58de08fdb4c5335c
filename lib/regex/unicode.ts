import { ALL, type CodePoints, codePoints, complement, rangesOf } from './code-points.ts'
import { CATEGORIES, CATEGORY_NAMES, ORBITS, SCRIPTS, UPPERCASE } from './unicode-data.ts'

/** Names that stand for several categories. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  c: ['cc', 'cf', 'cn', 'co', 'cs'],
  l: ['ll', 'lm', 'lo', 'lt', 'lu'],
  lc: ['ll', 'lt', 'lu'],
  m: ['mc', 'me', 'mn'],
  n: ['nd', 'nl', 'no'],
  p: ['pc', 'pd', 'pe', 'pf', 'pi', 'po', 'ps'],
  s: ['sc', 'sk', 'sm', 'so'],
  z: ['zl', 'zp', 'zs'],
}

const GROUP_NAMES: Readonly<Record<string, string>> = {
  casedletter: 'lc',
  cntrl: 'cc',
  combiningmark: 'm',
  digit: 'nd',
  letter: 'l',
  mark: 'm',
  number: 'n',
  other: 'c',
  punct: 'p',
  punctuation: 'p',
  separator: 'z',
  symbol: 's',
}

const cache = new Map<string, CodePoints>()

/** The code points of `\p{name}`: a general category or a script, spelt as Go 1.26 allows; undefined if there is none. */
export function property(name: string): CodePoints | undefined {
  const key = name.replace(/[_ -]/g, '').toLowerCase()
  const set = cache.get(key) ?? decodeProperty(key)
  if (set !== undefined) cache.set(key, set)
  return set
}

function decodeProperty(key: string): CodePoints | undefined {
  if (key === 'any') return ALL
  if (key === 'ascii') return [0, 0x7f]
  if (key === 'assigned') return complement(category('cn') ?? [])
  return category(key) ?? own(SCRIPTS, key) ?? category(GROUP_NAMES[key] ?? CATEGORY_NAMES[key] ?? '')
}

function category(key: string): CodePoints | undefined {
  if (!Object.hasOwn(GROUPS, key)) return own(CATEGORIES, key)
  return codePoints((GROUPS[key] ?? []).flatMap((part) => own(CATEGORIES, part) ?? []))
}

function own(table: Readonly<Record<string, string>>, key: string): CodePoints | undefined {
  return Object.hasOwn(table, key) ? decodeRanges(table[key] ?? '') : undefined
}

/** The set and every code point that simple case folding makes equal to one of it (Unicode's CaseFolding, C and S). */
export function foldCase(set: CodePoints): CodePoints {
  const { keys, members } = orbits()
  const added: number[] = []
  for (const [from, to] of rangesOf(set)) {
    for (let i = firstAtLeast(keys, from); (keys[i] ?? Infinity) <= to; i++) {
      for (const point of members.get(keys[i] ?? 0) ?? []) added.push(point, point)
    }
  }
  return added.length === 0 ? set : codePoints([...set, ...added])
}

let uppercase: CodePoints | undefined

/** Code points with the property Uppercase, as Rust's `char::is_uppercase` has it. */
export function uppercasePoints(): CodePoints {
  uppercase ??= decodeRanges(UPPERCASE)
  return uppercase
}

interface Orbits {
  /** Ascending. */
  readonly keys: readonly number[]
  readonly members: ReadonlyMap<number, readonly number[]>
}

let decodedOrbits: Orbits | undefined

function orbits(): Orbits {
  decodedOrbits ??= decodeOrbits(ORBITS)
  return decodedOrbits
}

function decodeOrbits(text: string): Orbits {
  const members = new Map<number, number[]>()
  let first = 0
  for (const part of text.split(';')) {
    let point = first
    const orbit = part.split(' ').map((gap) => {
      point += Number.parseInt(gap, 36)
      return point
    })
    first = orbit[0] ?? first
    for (const member of orbit) members.set(member, orbit)
  }
  return { keys: [...members.keys()].sort((a, b) => a - b), members }
}

function decodeRanges(text: string): CodePoints {
  let end = 0
  return text.split(' ').map((gap) => {
    end += Number.parseInt(gap, 36)
    return end
  })
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
