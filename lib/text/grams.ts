/**
 * Grams: what a block's text holds, as numbers, so that an index can tell which blocks a regex may match.
 *
 * Text is folded first: A–Z, and the two other characters that fold to a letter of ASCII (U+212A to k, U+017F to s), are
 * lowercase letters; every other non-ASCII character, and the line end, is a *break*.
 *
 * - A *trigram* is three adjacent folded characters without a break among them, hashed to 18 bits.
 * - A *bridge* is two words that follow each other without a break between. A *word* is a run of letters; digits, spaces
 *   and all other characters part words, however many there are, and are skipped. Of the first word its last three
 *   letters, of the second its first three are hashed to 20 bits; of a shorter word, all of it. Bridges tell phrases of
 *   common words apart, which trigrams do not.
 *
 * What a literal implies of any text that holds it (literalGrams): all of its trigrams, and those bridges whose letters
 * the text around the literal can't change. A word of three letters or more may go on at the literal's edge: the three
 * that the bridge is of stay. A shorter word counts only if the literal goes on beyond it, to the left as a bridge's
 * first word and to the right as its second.
 */

const TRIGRAM_BITS = 18
const BRIDGE_BITS = 20
const BRIDGES = 2 ** TRIGRAM_BITS
/** Exclusive upper bound of a gram. */
export const GRAM_SPACE = BRIDGES + 2 ** BRIDGE_BITS

/** Stands for a break in folded literals. */
export const BREAK = '\u0080'
/** Stands in folded literals for one or more characters, none of them a letter or a break. */
export const GAP = '\u0081'
const BREAK_CODE = 0x80
const KELVIN = 0x212a
const LONG_S = 0x17f
/** Fibonacci hashing: the golden ratio in 32 bits. */
const MULTIPLIER = 0x9e3779b1
/** A word's letters take five bits each; so many of it are kept. */
const WORD_MASK = 0x7fff
/** The last three folded characters, seven bits each. */
const TRIGRAM_MASK = 0x1fffff

/** By UTF-16 unit below 0x80: the folded code, the line end a break. */
const FOLDED = Uint8Array.from({ length: 0x80 }, (_, code) =>
  code === 0x0a ? BREAK_CODE : code >= 0x41 && code <= 0x5a ? code + 0x20 : code,
)
/** By folded code: 1 for `a` to 26 for `z`, else 0. */
const LETTER = Uint8Array.from({ length: BREAK_CODE + 1 }, (_, code) =>
  code >= 0x61 && code <= 0x7a ? code - 0x60 : 0,
)

/** One bit a gram, empty between calls. */
const seen = new Uint32Array(GRAM_SPACE / 32)

/** The distinct grams of a block's match text, ascending. */
export function gramsOf(text: string): Uint32Array {
  let count = 0
  let [window, run] = [0, 0]
  // The last letters of the word before, the first and the last of this one; 0 where there is none.
  let [tail, head, last, letters] = [0, 0, 0, 0]
  const end = text.length
  for (let at = 0; at <= end; at++) {
    const c = at < end ? folded(text.charCodeAt(at)) : BREAK_CODE
    const letter = LETTER[c] as number
    if (letter !== 0) {
      last = ((last << 5) | letter) & WORD_MASK
      if (letters < 3) head = last
      letters++
    } else if (letters > 0) {
      if (tail !== 0) count += mark(bridge(tail, head))
      tail = last
      last = letters = 0
    }
    if (c === BREAK_CODE) {
      run = tail = 0
      continue
    }
    window = ((window << 7) | c) & TRIGRAM_MASK
    if (++run > 2) count += mark(trigram(window))
  }
  return collect(count)
}

/** 1 for a gram not seen before, else 0: without a branch that could be guessed wrong. */
function mark(gram: number): number {
  const word = gram >>> 5
  const before = seen[word] as number
  seen[word] = before | (1 << (gram & 31))
  return ((before >>> (gram & 31)) & 1) ^ 1
}

function collect(count: number): Uint32Array {
  const grams = new Uint32Array(count)
  let at = 0
  for (let word = 0; word < seen.length; word++) {
    let bits = seen[word] as number
    if (bits === 0) continue
    seen[word] = 0
    for (; bits !== 0; bits &= bits - 1) grams[at++] = word * 32 + 31 - Math.clz32(bits & -bits)
  }
  if (at !== count) throw new RangeError(`${at} grams where ${count} were counted`)
  return grams
}

function folded(unit: number): number {
  if (unit < 0x80) return FOLDED[unit] as number
  return unit === KELVIN ? 0x6b : unit === LONG_S ? 0x73 : BREAK_CODE
}

function trigram(window: number): number {
  return Math.imul(window, MULTIPLIER) >>> (32 - TRIGRAM_BITS)
}

function bridge(first: number, second: number): number {
  return BRIDGES + (Math.imul((first << 15) | second, MULTIPLIER) >>> (32 - BRIDGE_BITS))
}

/** A character as grams see it: its folded form, or BREAK. */
export function foldChar(point: number): string {
  const code = folded(point > 0xffff ? BREAK_CODE : point)
  return code === BREAK_CODE ? BREAK : String.fromCharCode(code)
}

export function isBridge(gram: number): boolean {
  return gram >= BRIDGES
}

export interface NamedGram {
  readonly gram: number
  /** As people read it: `rou` of a trigram, `route~to` of a bridge. */
  readonly name: string
}

/** The grams of any text that holds this literal (folded, with BREAK and GAP), in order, each once. */
export function literalGrams(literal: string): NamedGram[] {
  const found = new Map<number, string>()
  for (let at = 0; at + 2 < literal.length; at++) {
    const [a, b, c] = [literal.charCodeAt(at), literal.charCodeAt(at + 1), literal.charCodeAt(at + 2)]
    if (a < BREAK_CODE && b < BREAK_CODE && c < BREAK_CODE)
      found.set(trigram((a << 14) | (b << 7) | c), literal.slice(at, at + 3))
  }
  for (const [first, second] of wordPairs(literal))
    found.set(bridge(packed(first.slice(-3)), packed(second.slice(0, 3))), `${first}~${second}`)
  return [...found].map(([gram, name]) => ({ gram, name }))
}

/** Words that follow each other, of which the text around the literal can't change what a bridge is of. */
function wordPairs(literal: string): [string, string][] {
  const pairs: [string, string][] = []
  let before: { readonly word: string; readonly end: number; readonly fixed: boolean } | undefined
  for (const match of literal.matchAll(/[a-z]+/g)) {
    const [word] = match
    const end = match.index + word.length
    const adjacent = before !== undefined && !literal.slice(before.end, match.index).includes(BREAK)
    if (before?.fixed && adjacent && (word.length >= 3 || end < literal.length)) pairs.push([before.word, word])
    before = { word, end, fixed: word.length >= 3 || match.index > 0 }
  }
  return pairs
}

function packed(letters: string): number {
  let value = 0
  for (const letter of letters) value = (value << 5) | (letter.charCodeAt(0) - 0x60)
  return value
}
