/** What terminals obey, and what turns round the text behind it (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters). */
const OBEYED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
const ALL_OBEYED = new RegExp(OBEYED, 'gu')

/** Whether a name is one that nothing must show as it is. */
export function isObeyed(name: string): boolean {
  return OBEYED.test(name)
}

/**
 * A text of a log as it may be shown anywhere: control characters are their pictures (U+2400…), those without one and
 * changes of direction U+FFFD. As long as before, so that places in it stay; tabs and line ends stay, too.
 */
export function shownText(text: string): string {
  return text.replace(ALL_OBEYED, (char) => {
    const code = char.charCodeAt(0)
    if (char === '\t' || char === '\n') return char
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'
  })
}

/** A line for a terminal, which must not obey a log: what it would is shown as U+FFFD, tabs as a space. */
export function printable(line: string): string {
  return line.replaceAll('\t', ' ').replace(ALL_OBEYED, '\ufffd')
}

/** JSON of a value, in which what a terminal would obey is escaped: `JSON.stringify` leaves a part of it as it is. */
export function jsonText(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  const obeyed = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, replacer).replace(obeyed, escaped)
}

/** A text for XML 1.0, which has no way to write some characters (its production 2), escaped or not: they are U+FFFD. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}
