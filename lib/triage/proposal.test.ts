import { describe, expect, test } from 'vitest'
import { parseCatalogue } from '../signature/catalogue.ts'
import { propose } from './proposal.ts'

describe('a signature is proposed', () => {
  test.each<[string, readonly string[], string]>([
    [
      'of what lines have in common',
      [
        'Aug 18 19:43:10.200: FAIL: node "ip-10-0-1-2" was rebooted 2 times by its pool',
        'Sep  8 01:02:03.000: FAIL: node "a" was rebooted 15 times by its pool',
      ],
      String.raw`FAIL: node \S+ was rebooted \d[\d.,]* times by its pool`,
    ],
    [
      'with what RE2 would read escaped',
      ['CONFLICT (content): Merge conflict in [go.mod]'],
      String.raw`CONFLICT \(content\): Merge conflict in \[go\.mod\]`,
    ],
    [
      'of the line that says where',
      ['panic: nil pointer\ngithub.com/a/b/c.(*Machines).Generate(0xc0, 0x0)'],
      String.raw`\.\(\*Machines\)\.Generate\(\S+, \S+\)`,
    ],
    [
      'over any white space where lines differ by it',
      ['FAIL\tthe great test', 'FAIL  the great test'],
      String.raw`FAIL\s+the\s+great\s+test`,
    ],
  ])('%s', (_, texts, regex) => {
    expect(propose(texts, new Set())?.regex).toBe(regex)
  })

  test.each([
    ["it's 'quoted' \\ here: the thing broke"],
    ['the value # of <name> is 12 and #: {{.Thing}}'],
    [`long ${'word '.repeat(200)}`],
    ['- key: [not, yaml] & *alias !tag %directive the line'],
    ['ünïcödé words are here 42 \u{1f600} times'],
  ])('that the catalogue takes, and that matches its own sample: %s', (line) => {
    const proposal = propose([line.trim()], new Set())
    const { signatures, problems } = parseCatalogue([{ file: 'new.yaml', text: proposal?.yaml ?? '' }])
    expect(problems).toEqual([])
    expect(signatures.map(({ id, regexes }) => [id, regexes])).toEqual([[proposal?.id, [proposal?.regex]]])
  })

  test('under an id that is not taken', () => {
    const texts = ['FAIL: the upgrade was not acknowledged']
    const { id = '' } = propose(texts, new Set()) ?? {}
    expect(id).toBe('new.fail-the-upgrade-was-not')
    expect(propose(texts, new Set([id]))?.id).toBe(`${id}-2`)
  })

  test.each([[[]], [['42']], [['a 1 b 2']], [['"x" 7: /a/b/c']]])(
    'of nothing that tells them from others: %j',
    (texts) => {
      expect(propose(texts, new Set())).toBeUndefined()
    },
  )
})
