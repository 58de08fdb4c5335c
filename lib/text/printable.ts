/** A line for a terminal, which must not obey a log: control characters are shown as U+FFFD, tabs as a space. */
export function printable(line: string): string {
  return line.replaceAll('\t', ' ').replace(/\p{Cc}/gu, '\ufffd')
}

/** A text for XML 1.0, which has no way to write some characters (its production 2), escaped or not: they are U+FFFD. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is meant
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}
