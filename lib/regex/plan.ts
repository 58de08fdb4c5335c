import type { Plan } from '../model/plan.ts'
import { BREAK, foldChar, literalGrams } from '../text/grams.ts'
import { type CodePoints, rangesOf } from './code-points.ts'
import { parse } from './parse.ts'
import { ignoresCase } from './smart-case.ts'
import type { Node, Repeat } from './tree.ts'

/** Strings that a part may stand for before it counts as unknown, and their length. */
const MAX_STRINGS = 16
const MAX_LENGTH = 256
/** Kept of what a part begins and ends with: enough for grams across its edges. */
const EDGE = 16
/** Members of a class that are looked at, in code points. */
const MAX_CLASS = 256
/** Of one string: of more trigrams some are taken, evenly. */
const MAX_TRIGRAMS = 48
const MAX_SIZE = 2000

export interface Planned {
  readonly plan: Plan
  /** What each gram of it stands for, for people: `rou` of a trigram, `route~to` of a bridge. */
  readonly names: ReadonlyMap<number, string>
}

/**
 * The plan of a pattern: which grams a block must hold for a line of it to match (lib/text/grams.ts). Conservative: what
 * is not known leaves all blocks. Throws REGEX_* errors.
 */
export function planOf(pattern: string, options: { smartCase?: boolean } = {}): Planned {
  const parsed = parse(pattern)
  const folds = options.smartCase === true && ignoresCase(parsed.literals)
  const names = new Map<number, string>()
  const info = new Planner(names).infoOf(folds ? parse(pattern, { foldCase: true }).tree : parsed.tree)
  const plan = 'exact' in info ? info.whole : and([info.match, info.begins, info.ends])
  return { plan: sizeOf(plan) > MAX_SIZE ? ALL : plan, names }
}

/** Any of several patterns. */
export function planOfAny(plans: readonly Plan[]): Plan {
  return or(plans)
}

/** What is known of the texts that a part of a pattern matches. Strings are folded; `''` says nothing. */
type Info =
  | { readonly exact: readonly string[]; readonly whole: Plan }
  | {
      /** Every match begins, and ends, with one of these. */
      readonly prefix: readonly string[]
      readonly suffix: readonly string[]
      readonly begins: Plan
      readonly ends: Plan
      readonly match: Plan
    }
type Open = Exclude<Info, { exact: unknown }>

const ALL: Plan = { kind: 'all' }
const NONE: Plan = { kind: 'none' }
const UNKNOWN: Open = { prefix: [''], suffix: [''], begins: ALL, ends: ALL, match: ALL }

/**
 * Walks a tree from the leaves up, as Russ Cox describes for trigrams ("Regular Expression Matching with a Trigram Index",
 * 2012): of each part either all texts it can match, or what they begin with, end with and must hold.
 */
class Planner {
  readonly #names: Map<number, string>

  constructor(names: Map<number, string>) {
    this.#names = names
  }

  infoOf(node: Node): Info {
    switch (node.kind) {
      case 'empty':
      case 'assert':
        return this.#exact([''])
      case 'chars': {
        const chars = charsOf(node.points)
        return chars ? this.#exact(chars) : UNKNOWN
      }
      case 'capture':
        return this.infoOf(node.node)
      case 'concat':
        return this.#sequence(node.nodes.map((part) => this.infoOf(part)))
      case 'choice':
        return node.nodes.map((part) => this.infoOf(part)).reduce((left, right) => this.#or(left, right))
      case 'repeat':
        return this.#repeat(node)
    }
  }

  /** Literals are put together before what surrounds them. */
  #sequence(parts: readonly Info[]): Info {
    const joined: Info[] = []
    for (const part of parts) {
      const last = joined.at(-1)
      const both = last && 'exact' in last && 'exact' in part ? cross(last.exact, part.exact) : undefined
      if (both) joined[joined.length - 1] = this.#exact(both)
      else joined.push(part)
    }
    return joined.reduce((left, right) => this.#then(left, right))
  }

  #then(left: Info, right: Info): Info {
    const both = 'exact' in left && 'exact' in right ? cross(left.exact, right.exact) : undefined
    if (both) return this.#exact(both)
    const [a, b] = [this.#open(left), this.#open(right)]
    const across = cross(a.suffix, b.prefix)
    const prefix = 'exact' in left ? (cross(left.exact, b.prefix) ?? a.prefix) : a.prefix
    const suffix = 'exact' in right ? (cross(a.suffix, right.exact) ?? b.suffix) : b.suffix
    const match = and([a.match, b.match, ...(across ? [this.#holding(across)] : [])])
    return this.#edges(prefix, suffix, match)
  }

  #or(left: Info, right: Info): Info {
    if ('exact' in left && 'exact' in right) {
      const both = [...new Set([...left.exact, ...right.exact])]
      if (both.length <= MAX_STRINGS) return this.#exact(both)
    }
    const [a, b] = [this.#open(left), this.#open(right)]
    return this.#edges([...a.prefix, ...b.prefix], [...a.suffix, ...b.suffix], or([a.match, b.match]))
  }

  #repeat({ node, min, max }: Repeat): Info {
    if (min === 0)
      return max === 1 ? this.#or(this.infoOf(node), this.#exact([''])) : max === 0 ? this.#exact(['']) : UNKNOWN
    const once = this.infoOf(node)
    if (min === 1 && max === 1) return once
    const twice = min > 1 ? this.#then(once, once) : once
    if (min === 2 && max === 2) return twice
    if (min === max && min <= MAX_STRINGS) {
      let all = twice
      for (let times = 2; times < min; times++) all = this.#then(all, once)
      return all
    }
    const { prefix, suffix } = this.#open(once)
    return this.#edges(prefix, suffix, this.#open(twice).match)
  }

  #exact(strings: readonly string[]): Info {
    return { exact: strings, whole: this.#holding(strings) }
  }

  #open(info: Info): Open {
    return 'exact' in info ? this.#edges(info.exact, info.exact, info.whole) : info
  }

  #edges(prefixes: readonly string[], suffixes: readonly string[], match: Plan): Open {
    const prefix = few(prefixes.map((text) => text.slice(0, EDGE)))
    const suffix = few(suffixes.map((text) => text.slice(-EDGE)))
    return { prefix, suffix, begins: this.#holding(prefix), ends: this.#holding(suffix), match }
  }

  /** Blocks with one of these texts. */
  #holding(strings: readonly string[]): Plan {
    return or(strings.map((text) => and(this.#gramsOf(text))))
  }

  #gramsOf(text: string): Plan[] {
    const grams = literalGrams(text)
    const trigrams = grams.filter(({ name }) => !name.includes('~') || name.length === 3)
    const step = Math.max(1, trigrams.length / MAX_TRIGRAMS)
    const taken = new Set(trigrams.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)))
    const kept = grams.filter((gram) => taken.has(gram) || !trigrams.includes(gram))
    for (const { gram, name } of kept) this.#names.set(gram, name)
    return kept.map(({ gram }) => ({ kind: 'gram', gram }))
  }
}

/** The folded characters of a class; undefined where there are too many to be of use. */
function charsOf(points: CodePoints): string[] | undefined {
  const chars = new Set<string>()
  let seen = 0
  for (const [from, to] of rangesOf(points)) {
    // From here on every character is a break, but for the two that fold to a letter.
    const isPlain = from > 0x2fff
    seen += isPlain ? 1 : to - from + 1
    if (seen > MAX_CLASS) return undefined
    if (isPlain) chars.add(BREAK)
    else for (let point = from; point <= to; point++) chars.add(foldChar(point))
    if (chars.size > MAX_STRINGS) return undefined
  }
  return [...chars]
}

/** Each of the first before each of the second; undefined where that is too much. */
function cross(first: readonly string[], second: readonly string[]): string[] | undefined {
  if (first.length * second.length > MAX_STRINGS) return undefined
  const both = new Set(first.flatMap((a) => second.map((b) => a + b)))
  return [...both].some((text) => text.length > MAX_LENGTH) ? undefined : [...both]
}

/** Where there are too many nothing is known. */
function few(strings: readonly string[]): readonly string[] {
  const distinct = [...new Set(strings)]
  return distinct.length > MAX_STRINGS || distinct.includes('') ? [''] : distinct
}

function and(plans: readonly Plan[]): Plan {
  const flat = distinct(plans.flatMap((plan) => (plan.kind === 'and' ? plan.of : [plan])))
  if (flat.some(({ kind }) => kind === 'none')) return NONE
  const grams = new Set(flat.flatMap((plan) => (plan.kind === 'gram' ? [plan.gram] : [])))
  const of = distinct(flat.map((plan) => (plan.kind === 'or' ? without(plan, grams) : plan))).filter(
    ({ kind }) => kind !== 'all',
  )
  return of.length === 0 ? ALL : of.length === 1 && of[0] ? of[0] : { kind: 'and', of }
}

/** What a choice demands beyond grams that are demanded anyway. */
function without(plan: Plan, grams: ReadonlySet<number>): Plan {
  if (plan.kind === 'gram') return grams.has(plan.gram) ? ALL : plan
  if (plan.kind === 'or') return or(plan.of.map((part) => without(part, grams)))
  return plan.kind === 'and' ? and(plan.of.map((part) => without(part, grams))) : plan
}

function or(plans: readonly Plan[]): Plan {
  const of = distinct(
    plans.flatMap((plan) => (plan.kind === 'or' ? plan.of : [plan])).filter(({ kind }) => kind !== 'none'),
  )
  if (of.some(({ kind }) => kind === 'all')) return ALL
  return of.length === 0 ? NONE : of.length === 1 && of[0] ? of[0] : { kind: 'or', of }
}

function distinct(plans: readonly Plan[]): Plan[] {
  return [...new Map(plans.map((plan) => [JSON.stringify(plan), plan])).values()]
}

function sizeOf(plan: Plan): number {
  return 'of' in plan ? plan.of.reduce((sum, part) => sum + sizeOf(part), 1) : 1
}
