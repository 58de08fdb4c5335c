/** A line for a terminal, which must not obey a log: control characters are shown as U+FFFD, tabs as a space. */
export function printable(line: string): string {
  return line.replaceAll('\t', ' ').replace(/\p{Cc}/gu, '\ufffd')
}
