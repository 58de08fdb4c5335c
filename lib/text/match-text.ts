const ESC = 0x1b
const CR = 0x0d

/**
 * CSI (`ESC [ … final byte`) and OSC (`ESC ] … BEL` or `ESC ] … ESC \`) of ECMA-48. Not the `ansi-regex` package: its
 * OSC payload may hold `\n`, so one stray `ESC ]` would merge lines and shift every number after it, and it removes
 * further escapes that match text keeps. No payload may hold ESC or `\n`, so hostile input stays linear.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\))/g

/** Kept as one space each: JavaScript takes them for line ends, or editors for the end of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of them
const SPACED = /[\r\u0000\u2028\u2029]/g

// A block may start with any line of its log, so a BOM is text like any other: it never vanishes.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a block or line as it was: decoded by the WHATWG UTF-8 decoder, bad bytes as U+FFFD, nothing removed. */
export function displayText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/**
 * The match text of a block: what patterns are matched against. Its lines are joined by `\n` and as many as the
 * block's. Escape sequences (CSI, OSC) are removed, then one trailing `\r` of each line; each other `\r`, U+2028, U+2029
 * and NUL becomes one space. `ascii` says that every byte is below 0x80.
 */
export function matchText(bytes: Uint8Array, ascii: boolean): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ascii ? buffer.toString('latin1') : decoder.decode(bytes)
  if (buffer.includes(ESC)) text = text.replace(ANSI, '')
  if (buffer.includes(CR)) text = text.replaceAll('\r\n', '\n').replace(/\r$/, '')
  const special =
    buffer.includes(CR) || buffer.includes(0) || (!ascii && (text.includes('\u2028') || text.includes('\u2029')))
  return special ? text.replace(SPACED, ' ') : text
}
