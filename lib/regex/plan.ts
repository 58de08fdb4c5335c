import type { Plan } from '../model/plan.ts'
import { BREAK, foldChar, GAP, isBridge, literalGrams } from '../text/grams.ts'
import { type CodePoints, containsAll, rangesOf } from './code-points.ts'
import { type Parsed, parse } from './parse.ts'
import { ALL, and, evenly, NONE, or, thin } from './plan-algebra.ts'
import { ignoresCase } from './smart-case.ts'
import { isNever, type Node, type Repeat } from './tree.ts'
import { verdictTree } from './verdict.ts'

/** Strings that a part may stand for before it counts as unknown, and their length. */
const MAX_STRINGS = 16
const MAX_LENGTH = 256
/** Kept of what a part begins and ends with: enough for grams across its edges. */
const EDGE = 16
/** Members of a class that are looked at, in code points. */
const MAX_CLASS = 256
/** Of one string: of more trigrams some are taken, evenly. */
const MAX_TRIGRAMS = 48
/** Grams of a whole plan: of more some are taken, evenly. */
const MAX_GRAMS = 1000

/** Match text holds spaces in place of these. */
const NOT_IN_TEXT: ReadonlySet<number> = new Set([0x00, 0x0d])
/** ASCII but letters and the line end. */
const SEPARATORS: CodePoints = [0, 0x09, 0x0b, 0x40, 0x5b, 0x60, 0x7b, 0x7f]

export interface Planned {
  readonly plan: Plan
  /** The pattern it is of, as smart case reads it. */
  readonly parsed: Parsed
  /** What each gram of it stands for, for people: `rou` of a trigram, `route~to` of a bridge. */
  readonly names: ReadonlyMap<number, string>
  /** The literals that they come from, one a line. */
  readonly literals: string
}

/**
 * The plan of a pattern: which grams a block must hold for a line of it to match (lib/text/grams.ts). Conservative: what
 * is not known leaves all blocks. Throws REGEX_* errors.
 */
export function planOf(pattern: string, options: { smartCase?: boolean } = {}): Planned {
  const parsed = parse(pattern)
  const folds = options.smartCase === true && ignoresCase(parsed.literals)
  return planOfParsed(folds ? parse(pattern, { foldCase: true }) : parsed)
}

export function planOfParsed(parsed: Parsed): Planned {
  const verdict = verdictTree(parsed.tree, false)
  const planner = new Planner()
  const plan = isNever(verdict) ? NONE : planner.planOf(verdict)
  return { plan, parsed, names: planner.names, literals: [...planner.literals].join('\n') }
}

/** Any of several patterns. */
export function planOfAny(plans: readonly Plan[]): Plan {
  return thin(or(plans), MAX_GRAMS)
}

/** What is known of the texts that a part of a pattern matches. Strings are folded; `''` says nothing. */
type Info = { readonly exact: readonly string[] } | Open

interface Open {
  /** Every match begins, and ends, with one of these. */
  readonly prefix: readonly string[]
  readonly suffix: readonly string[]
  readonly match: Plan
  /** What every match looks like where words are told apart: GAP for separators, `''` for nothing. */
  readonly gap?: readonly string[] | undefined
}

const UNKNOWN: Open = { prefix: [''], suffix: [''], match: ALL }

/**
 * Walks a verdict tree from the leaves up, as Russ Cox describes for trigrams ("Regular Expression Matching with a
 * Trigram Index", 2012): of each part either all texts it can match, or what they begin with, end with and must hold.
 */
class Planner {
  readonly names = new Map<number, string>()
  readonly literals = new Set<string>()

  planOf(verdict: Node): Plan {
    return thin(this.#open(this.#infoOf(verdict)).match, MAX_GRAMS)
  }

  #infoOf(node: Node): Info {
    switch (node.kind) {
      case 'empty':
      case 'assert':
        return { exact: [''] }
      case 'chars':
        return infoOfClass(node.points)
      case 'capture':
        return this.#infoOf(node.node)
      case 'concat':
        return this.#sequence(node.nodes.map((part) => this.#infoOf(part)))
      case 'choice':
        return this.#choice(node.nodes.map((part) => this.#infoOf(part)))
      case 'repeat':
        return this.#repeat(node)
    }
  }

  /** Each part's own plan, that of the text across every seam, and that of the words on both sides of a gap. */
  #sequence(parts: readonly Info[]): Info {
    const [first, ...others] = joined(parts)
    if (first === undefined || others.length === 0) return first ?? { exact: [''] }
    let { prefix, suffix, match } = this.#open(first)
    const must = [match]
    let before = beforeGap(suffix, first)
    for (const [at, part] of others.entries()) {
      const next = this.#open(part)
      must.push(next.match, this.#holding(cross(suffix, next.prefix)))
      if (before) must.push(this.#holding(cross(before, next.prefix), isBridge))
      before = beforeGap(before ?? suffix, part)
      if (at === 0 && 'exact' in first) prefix = few(cross(first.exact, next.prefix) ?? prefix, start)
      suffix = 'exact' in part ? few(cross(suffix, part.exact) ?? next.suffix, end) : next.suffix
    }
    match = thin(and(must), MAX_GRAMS)
    return { prefix, suffix, match, gap: gapOfAll(parts) }
  }

  #choice(parts: readonly Info[]): Info {
    const texts = new Set(parts.flatMap((part) => ('exact' in part ? part.exact : [])))
    if (parts.every((part) => 'exact' in part) && texts.size <= MAX_STRINGS) return { exact: [...texts] }
    const open = parts.map((part) => this.#open(part))
    const gaps = parts.map(gapOf)
    return {
      prefix: few(open.flatMap(({ prefix }) => prefix)),
      suffix: few(open.flatMap(({ suffix }) => suffix)),
      match: thin(or(open.map(({ match }) => match)), MAX_GRAMS),
      gap: gaps.every((gap) => gap !== undefined) ? [...new Set(gaps.flat())] : undefined,
    }
  }

  #repeat({ node, min, max }: Repeat): Info {
    const once = this.#infoOf(node)
    const gap = gapOf(once)
    if (min === 0) return max === 1 ? this.#choice([once, { exact: [''] }]) : { ...UNKNOWN, gap: gap && ['', ...gap] }
    const times = Math.min(min, MAX_STRINGS)
    const least = this.#sequence(Array.from({ length: times }, () => once))
    return times === max ? least : { ...this.#open(least), gap }
  }

  #open(info: Info): Open {
    if (!('exact' in info)) return info
    const { exact } = info
    return { prefix: few(exact, start), suffix: few(exact, end), match: this.#holding(exact) }
  }

  /** Blocks with one of these texts, by the grams that are told. */
  #holding(strings: readonly string[] | undefined, told = (_: number) => true): Plan {
    return strings ? or(strings.map((text) => and(this.#gramsOf(text, told)))) : ALL
  }

  #gramsOf(text: string, told: (gram: number) => boolean): Plan[] {
    // The rest of a pattern this long may ask for what it likes.
    if (this.names.size > MAX_GRAMS) return []
    this.literals.add(text)
    const grams = literalGrams(text).filter(({ gram }) => told(gram))
    const trigrams = grams.filter(({ gram }) => !isBridge(gram))
    const kept = [...evenly(trigrams, MAX_TRIGRAMS), ...grams.filter(({ gram }) => isBridge(gram))]
    for (const { gram, name } of kept) this.names.set(gram, name)
    return kept.map(({ gram }) => ({ kind: 'gram', gram }))
  }
}

function infoOfClass(points: CodePoints): Info {
  const chars = charsOf(points)
  if (chars) return { exact: chars }
  return containsAll(SEPARATORS, points) ? { ...UNKNOWN, gap: [GAP] } : UNKNOWN
}

/** The folded characters of a class; undefined where there are too many to be of use. */
function charsOf(points: CodePoints): string[] | undefined {
  const chars = new Set<string>()
  let seen = 0
  for (const [from, to] of rangesOf(points)) {
    // From here on every character is a break; below, all are but ASCII and the two that fold to a letter of it.
    const isPlain = from > 0x2fff
    seen += isPlain ? 1 : to - from + 1
    if (seen > MAX_CLASS) return undefined
    if (isPlain) chars.add(BREAK)
    else for (let point = from; point <= to; point++) if (!NOT_IN_TEXT.has(point)) chars.add(foldChar(point))
    if (chars.size > MAX_STRINGS) return undefined
  }
  return [...chars]
}

/** Literals put together, before what surrounds them. */
function joined(parts: readonly Info[]): Info[] {
  const all: Info[] = []
  for (const part of parts) {
    const last = all.at(-1)
    const both = last && 'exact' in last && 'exact' in part ? cross(last.exact, part.exact) : undefined
    if (both) all[all.length - 1] = { exact: both }
    else all.push(part)
  }
  return all
}

/** What stands before a gap, with the gap; undefined where the part is none. */
function beforeGap(before: readonly string[], part: Info): string[] | undefined {
  const gap = gapOf(part)
  return gap && cross(before, gap)?.map((text) => text.replace(/\u0081+$/, GAP))
}

function gapOf(info: Info): readonly string[] | undefined {
  if (!('exact' in info)) return info.gap
  const isGap = info.exact.every((text) => !/[a-z\u0080]/.test(text))
  return isGap ? [...new Set(info.exact.map((text) => text && GAP))] : undefined
}

function gapOfAll(parts: readonly Info[]): readonly string[] | undefined {
  const gaps = parts.map(gapOf)
  if (gaps.includes(undefined)) return undefined
  return gaps.every((gap) => gap?.includes('')) ? ['', GAP] : [GAP]
}

/** Each of the first before each of the second; undefined where that is too much. */
function cross(first: readonly string[], second: readonly string[]): string[] | undefined {
  if (first.length * second.length > MAX_STRINGS) return undefined
  const both = new Set(first.flatMap((a) => second.map((b) => a + b)))
  return [...both].some((text) => text.length > MAX_LENGTH) ? undefined : [...both]
}

const start = (text: string) => text.slice(0, EDGE)
const end = (text: string) => text.slice(-EDGE)

/** Where there are too many nothing is known. */
function few(strings: readonly string[], cut = (text: string) => text): readonly string[] {
  const distinct = [...new Set(strings.map(cut))]
  return distinct.length > MAX_STRINGS || distinct.includes('') ? [''] : distinct
}
