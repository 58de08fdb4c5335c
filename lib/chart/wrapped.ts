/** Lines of at most `columns` characters, cut between words; the last of `most` ends in `…` where more follows. */
export function wrapped(text: string, columns: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = ''
    }
    line = line ? `${line} ${word}` : word
  }
  if (line) lines.push(line)
  const shown = lines.slice(0, most).map((each) => shortened(each, columns))
  const last = shown.at(-1)
  return last === undefined || lines.length <= most
    ? shown
    : [...shown.slice(0, -1), shortened(`${last} …`, columns, true)]
}

/** At most so many characters, `…` for what is left out; whole characters only. */
export function shortened(text: string, most: number, isCut = false): string {
  if (text.length <= most && !isCut) return text
  const room = text
    .replace(/ ?…$/, '')
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
  return `${room.trimEnd()}…`
}
