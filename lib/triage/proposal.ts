import { compile } from '../regex/compile.ts'
import { fold } from './fold.ts'

/** A signature that would know a group's failures, to be looked at and put into a file. */
export interface Proposal {
  readonly id: string
  readonly title: string
  readonly regex: string
  readonly samples: readonly string[]
  /** The entry as a file of its own. */
  readonly yaml: string
}

/** What stands in a pattern for what was folded. */
const STANDS_FOR: Readonly<Record<string, string>> = { '#': String.raw`\d[\d.,]*`, '<time>': String.raw`\S+` }
const FOLDED = /(<(?:time|name|url|id|hash|hex|host|path|ns)>|#)/
const MAX_LITERAL = 160
const MAX_SAMPLES = 3
const MAX_SAMPLE = 300

/**
 * A signature made from the literal parts that the lines of a group have in common; of texts of two lines the second one,
 * which says where. Undefined where the lines hold too little of their own to be told from others.
 */
export function propose(texts: readonly string[], taken: ReadonlySet<string>): Proposal | undefined {
  const lines = [...new Set(texts.map(tellingLine))].filter((line) => line !== '')
  const [first] = lines
  const folded = fold(first ?? '')
  const words = folded.replaceAll(new RegExp(FOLDED, 'g'), ' ').match(/[A-Za-z]{3,}/g) ?? []
  if (first === undefined || words.join('').length < 8) return undefined
  const regex = [' ', String.raw`\s+`].map((space) => patternOf(folded, space)).find((each) => matchesAll(each, lines))
  const found = regex ?? literal(first.slice(0, MAX_LITERAL))
  const samples = lines
    .slice(0, MAX_SAMPLES)
    .map((line) => line.slice(0, MAX_SAMPLE))
    .filter((line) => matches(found, line))
  if (samples.length === 0) return undefined
  const id = idOf(words, taken)
  const title = titleOf(folded)
  return { id, title, regex: found, samples, yaml: yamlOf({ id, title, regex: found, samples }) }
}

function tellingLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1).trim()
}

/** The folded text up to its first so many characters, what was folded standing for anything of its kind. */
function patternOf(folded: string, space: string): string {
  const cut = folded.length > MAX_LITERAL ? folded.slice(0, folded.lastIndexOf(' ', MAX_LITERAL)) : folded
  const parts = cut.split(FOLDED).map((part, i) => {
    return i % 2 === 1 ? (STANDS_FOR[part] ?? String.raw`\S+`) : part.split(' ').map(literal).join(space)
  })
  const pattern = parts.join('')
  // What stands for anything says nothing at the ends.
  return pattern
    .replace(/^(?:\\S\+|\\d\[\\d\.,\]\*|\\s\+|[ :])+/, '')
    .replace(/(?:\\S\+|\\d\[\\d\.,\]\*|\\s\+| )+$/, '')
}

function matchesAll(pattern: string, lines: readonly string[]): boolean {
  return pattern !== '' && lines.every((line) => matches(pattern, line))
}

function matches(pattern: string, line: string): boolean {
  return compile(pattern, { smartCase: false }).matchingLines(line, false).length > 0
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

function idOf(words: readonly string[], taken: ReadonlySet<string>): string {
  const base = `new.${words.slice(0, 5).join('-').toLowerCase().slice(0, 40)}`
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`
    if (!taken.has(id)) return id
  }
}

function titleOf(folded: string): string {
  const title = folded.replaceAll(new RegExp(FOLDED, 'g'), '…').trim()
  return title.length > 80 ? `${title.slice(0, 79).trimEnd()}…` : title
}

function yamlOf({ id, title, regex, samples }: Omit<Proposal, 'yaml'>): string {
  return [
    'signatures:',
    `  - id: ${id}`,
    `    title: ${quoted(title)}`,
    '    kind: per-run',
    '    regexes:',
    `      - ${quoted(regex)}`,
    '    samples:',
    '      match:',
    ...samples.map((line) => `        - ${quoted(line)}`),
    '      no_match: []',
  ].join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
