import { expect, test } from 'vitest'
import type { Signature } from '../model/signature.ts'
import { withGrams } from '../text/index-text.ts'
import { BlockView } from './block-view.ts'
import { parseCatalogue } from './catalogue.ts'
import { compileSignature } from './compiled.ts'

const LINES = ['lease lost: EOF', '{"level":"error","msg":"this \\u0026 that broke"}', 'dial tcp 10.0.0.1:80: no route']
const PATTERNS = [
  ...[
    'lost',
    'this & that',
    '^dial tcp',
    'EOF$',
    'nowhere to be found',
    'broke',
    'route',
    '[0-9]{2}\\.',
    '10\\.0',
    'tcp',
  ],
  ...['u0026', 'lease|route', 'not there either', 'level'],
]

function compiled(patterns: readonly string[]) {
  const signatures = patterns.map((regex, at) => ({ id: `s${at}`, title: 'a', kind: 'per-run', regexes: [regex] }))
  return parseCatalogue([{ file: 'a.yaml', text: JSON.stringify({ signatures }) }]).signatures.map((each: Signature) =>
    compileSignature(each),
  )
}

test('finds the same whether grams came with the block, are worked out, or are not needed', () => {
  const bytes = Buffer.from(LINES.join('\n'))
  const block = { firstLine: 1, lineCount: LINES.length, bytes, ascii: true }
  const all = compiled(PATTERNS)
  const found = (views: () => BlockView) => {
    return all.map(({ regexes }) => [...views().matches(regexes)].map(([line, { text }]) => [line, text]))
  }
  const [one, known] = [new BlockView(block), new BlockView(withGrams(block))]
  const expected = found(() => new BlockView(block))
  expect(expected.map((lines) => lines.length)).toEqual([1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 2, 0, 0])
  expect(found(() => one)).toEqual(expected)
  expect(found(() => known)).toEqual(expected)
})
