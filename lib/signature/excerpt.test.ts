import { describe, expect, test } from 'vitest'
import { loadCatalogue, parseCatalogue, readCatalogueFiles } from './catalogue.ts'
import { excerptAt, indented, tidied, withExcerpt } from './excerpt.ts'

const FILE = `# about
signatures:
  - id: a
    advice: |
      # no comment

      text

    regexes: [x]

  # of b
  - { id: b }
changes: []
`

describe('an entry', () => {
  test.each([
    [3, 9, '- id: a\n  advice: |\n    # no comment\n\n    text\n\n  regexes: [x]'],
    [12, 12, '- { id: b }'],
  ])('of line %d ends at line %d', (from, to, yaml) => {
    expect(excerptAt(FILE, from)).toEqual({ yaml, from, to, indent: 2 })
  })

  test('has the whole file where it has no lines of its own', () => {
    const flow = 'signatures: [{ id: a }, { id: b }]\n'
    expect(excerptAt(flow, 1)).toEqual({ yaml: flow, from: 1, to: 2, indent: 0 })
  })

  test('gives way to another, and the rest of the file stands', () => {
    const { text, from, to } = withExcerpt(FILE, excerptAt(FILE, 3), '- id: c\n\n  regexes: [y]')
    expect(text).toBe(
      `${FILE.slice(0, FILE.indexOf('  - id: a'))}  - id: c\n\n    regexes: [y]${FILE.slice(FILE.indexOf('\n\n  # of b'))}`,
    )
    expect({ from, to }).toEqual({ from: 3, to: 5 })
  })
})

test('every signature kept with prowl can be taken out and put back', async () => {
  const { files } = await readCatalogueFiles(['signatures'])
  const { signatures } = await loadCatalogue(['signatures'])
  for (const { id, source } of signatures) {
    const file = files.find((each) => each.file === source.file)?.text ?? ''
    const excerpt = excerptAt(file, source.line)
    expect(excerpt.yaml).toMatch(new RegExp(`^- id: ${id}\\n`))
    expect(excerpt.yaml.match(/^- /gm)).toHaveLength(1)
    expect(withExcerpt(file, excerpt, excerpt.yaml).text).toBe(file)
    const without = parseCatalogue([{ file: source.file, text: withExcerpt(file, excerpt, '').text }])
    expect(without.signatures.map((signature) => signature.id)).not.toContain(id)
  }
})

test.each([
  ['\r\n- id: a\r\n  title: T\r\n\r\n', '- id: a\n  title: T'],
  ['  \n - id: a', ' - id: a'],
])('what a form sends, %j, is tidied', (given, tidy) => {
  expect(tidied(given)).toBe(tidy)
})

test('blank lines stay blank when indented', () => {
  expect(indented('a\n\n  b', 2)).toBe('  a\n\n    b')
})
