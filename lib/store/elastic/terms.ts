const RADIX = 36
const MAX_DIGITS = 4
const DIGITS = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz')
const [QUOTE, COMMA] = [0x22, 0x2c]
/** In quotes, with a comma. */
const TERM_BYTES = MAX_DIGITS + 3

/** A gram as a term: at most four characters. */
export function gramTerm(gram: number): string {
  return gram.toString(RADIX)
}

/** The terms of all as a JSON array, written as bytes: a string each took as long as compressing the block. */
export function gramTerms(grams: Uint32Array): string {
  const json = Buffer.allocUnsafe(1 + grams.length * TERM_BYTES + 1)
  let at = json.write('[')
  for (const gram of grams) {
    json[at++] = QUOTE
    const end = at + digitsOf(gram)
    for (let left = gram, to = end; to > at; left = Math.trunc(left / RADIX))
      json[--to] = DIGITS[left % RADIX] as number
    at = end
    json[at++] = QUOTE
    json[at++] = COMMA
  }
  if (grams.length > 0) at--
  at += json.write(']', at)
  return json.toString('latin1', 0, at)
}

function digitsOf(gram: number): number {
  if (gram >= RADIX ** MAX_DIGITS) throw new RangeError(`${gram} is no gram`)
  let digits = 1
  for (let limit = RADIX; gram >= limit; limit *= RADIX) digits++
  return digits
}
