/** The lines of a signature file that are edited by themselves: one entry of its list, without its indentation. */
export interface Excerpt {
  readonly yaml: string
  /** 1-based. */
  readonly from: number
  readonly to: number
  /** Columns that the entry is indented by in its file. */
  readonly indent: number
}

/** The entry that begins at a line (1-based). The whole file where the entry has no lines of its own, as in `[{…}]`. */
export function excerptAt(file: string, line: number): Excerpt {
  const lines = linesOf(file)
  const indent = /^( *)- /.exec(lines[line - 1] ?? '')?.[1]?.length
  if (indent === undefined) return { yaml: lines.join('\n'), from: 1, to: lines.length, indent: 0 }
  let to = line
  for (let at = line; at < lines.length; at++) {
    const text = lines[at] ?? ''
    if (text.trim() === '') continue
    if (text.search(/\S/) <= indent) break
    to = at + 1
  }
  const own = lines.slice(line - 1, to)
  return { yaml: own.map((text) => text.slice(indent)).join('\n'), from: line, to, indent }
}

/** The file with other YAML in that place, and where that then stands (1-based, inclusive). */
export function withExcerpt(file: string, { from, to, indent }: Excerpt, yaml: string) {
  const own = indented(yaml, indent).split('\n')
  const lines = linesOf(file)
  return { text: lines.toSpliced(from - 1, to - from + 1, ...own).join('\n'), from, to: from + own.length - 1 }
}

/** As it stands in a file. */
export function indented(yaml: string, columns: number): string {
  return yaml.replace(/^(?=[^\n])/gm, ' '.repeat(columns))
}

/** A browser's form sends `\r\n`; blank lines round it are no part of it. */
export function tidied(yaml: string): string {
  return yaml.replace(/\r\n?/g, '\n').replace(/^(?:[ \t]*\n)+|\s+$/g, '')
}

function linesOf(file: string): string[] {
  return file.replace(/\r\n/g, '\n').split('\n')
}
