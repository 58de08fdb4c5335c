import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EvidenceLine, EvidenceRun } from '../model/evidence.ts'
import { sampleEvidence } from '../testing/evidence.ts'
import { SAMPLE_TIME } from '../testing/records.ts'
import { BUG_FORMATS, bugText, bugTitle } from './bug-text.ts'

const LINK = 'https://prowl.example.org/e/0123456789'
const RUN: EvidenceRun = {
  ...{ bucket: 'gs://ci', path: 'logs/e2e/1', job: 'e2e', buildId: '1' },
  ...{ type: 'periodic', result: 'failure', time: SAMPLE_TIME },
}
const LAST = { markdown: `<${LINK}>`, jira: `[${LINK}]`, plain: LINK }

function lineOf(text: string, line = 1): EvidenceLine {
  return { bucket: RUN.bucket, path: RUN.path, log: 'build-log.txt', line, text, before: [], after: [] }
}

function evidenceOf(texts: readonly string[], search = 'search=EOF') {
  const counts = { lines: 41, runs: 29, failedRuns: 20, jobs: 11, pulls: 17 }
  const lines = texts.map((text, i) => lineOf(text, i + 1))
  return sampleEvidence({ content: { asked: { kind: 'search', search }, counts, lines, runs: [RUN] } })
}

test('says what was found, how complete the data was, the lines and where it is, in Markdown', () => {
  expect(bugText(evidenceOf(['Post http://boskos.ci/update: EOF']), { format: 'markdown', link: LINK })).toBe(
    [
      'Frozen 3 Nov 2026 10:00 UTC: 41 lines in 29 runs (20 failed) of 11 jobs, 17 PRs.',
      'Runs of 2 Nov 2026 10:00 to 3 Nov 2026 10:00 UTC; data not known how complete.',
      '',
      '```text',
      'EOF',
      '',
      'e2e 1, build-log.txt:1, failure, 3 Nov 2026 10:00 UTC',
      '  Post http://boskos.ci/update: EOF',
      '```',
      '',
      `<${LINK}>`,
    ].join('\n'),
  )
})

const NASTY = [
  ['a table', '| a || b |', '| a || b |'],
  ['a fence', '```\n```', '``` ```'],
  ['many backticks', '`'.repeat(3000), '`'.repeat(8)],
  ['Jira macros', '{code}{quote}{color:red}', '{code}{quote}{color:red}'],
  ['the end of the block', 'x{noformat}y{NOFORMAT}z{ noformat}', '{'],
  ['brackets of links', ']] [evil|http://evil.test] !http://evil.test/x.png!', ']] [evil'],
  ['markup', '<script>alert(1)</script> &amp; @everyone #12', '<script>alert(1)</script> &amp;'],
  ['text that turns the order', 'a\u202egnp.exe\u2066b', 'agnp.exeb'],
  ['controls and line ends', 'a\u0000b\u001b[31mc\r\nd\u2028e\u0085f', 'a b [31mc d e f'],
  ['astral characters, cut', '\u{1f600}'.repeat(5000), '\u{1f600}…'],
  ['half a character', 'a\ud83d', 'a\ufffd'],
  ['a long line', 'x'.repeat(100_000), 'x…'],
  ['Hebrew', 'שלום עולם', 'שלום עולם'],
] as const

describe.each(BUG_FORMATS)('in %s', (format) => {
  test.each(NASTY)('%s', (_, line, kept) => {
    const nasty = new URLSearchParams({ search: line }).toString()
    const text = bugText(evidenceOf(Array(20).fill(line), nasty), { format, link: LINK })
    expectWhole(text, format)
    const wanted = format === 'jira' ? kept.replace(/\{(?=noformat)/gi, '{ ') : kept
    expect(text).toContain(wanted)
  })

  test('whatever the lines hold, it is short, one block, and the link stands alone at its end', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom('```', '````', '{noformat}', '{code}', '\n', ']', '|', '~~~', '\u{1f600}', '\u202e'),
    )
    fc.assert(
      fc.property(
        fc.array(
          fc.array(part).map((parts) => parts.join('')),
          { maxLength: 8 },
        ),
        (texts) => {
          const search = new URLSearchParams({ search: texts[0] ?? 'x' }).toString()
          const text = bugText(evidenceOf(texts, search), { format, link: LINK })
          expectWhole(text, format)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a shorter one that must fit an address is whole too', () => {
    for (const most of [0, 200, 450]) {
      const text = bugText(evidenceOf(['x'.repeat(900)]), { format, link: LINK, most })
      expect(text.split('\n').at(-1)).toBe(LAST[format])
    }
  })
})

function expectWhole(text: string, format: (typeof BUG_FORMATS)[number]): void {
  expect(text.length).toBeLessThan(1500)
  expect(text.isWellFormed()).toBe(true)
  const lines = text.split('\n')
  expect(lines.at(-1)).toBe(LAST[format])
  expect(lines.at(-2)).toBe('')
  expect(text).not.toMatch(/ago\b|[\u202a-\u202e]/)
  if (format === 'markdown') {
    const fence = lines[3]?.replace('text', '') ?? ''
    expect(fence).toMatch(/^`{3,}$/)
    // Nothing between opens or ends a block.
    expect(lines.slice(4, -3).filter((line) => line.trim().startsWith(fence))).toEqual([])
    expect(lines.at(-3)).toBe(fence)
  }
  if (format === 'jira') {
    expect(text.match(/\{\s*noformat/gi)?.filter((tag) => tag.toLowerCase() === '{noformat')).toHaveLength(2)
    expect(lines[3]).toBe('{noformat}')
    expect(lines.at(-3)).toBe('{noformat}')
  }
}

test('of an incident, the block says what became of its runs', () => {
  const asked = { kind: 'incident', signature: 's', title: 'T', incident: 'i' } as const
  const sentences = ['1 run died of it, 1 passed.', 'Struck together with ```{noformat}.']
  for (const format of BUG_FORMATS) {
    const text = bugText(sampleEvidence({ content: { asked }, sentences }), { format, link: LINK })
    expectWhole(text, format)
    expect(text).toContain('T, 2 Nov 2026 10:00 UTC')
    expect(text).toContain('1 run died of it, 1 passed.')
  }
  const ofSignature = { kind: 'signature', signature: 's', title: 'T' } as const
  const other = bugText(sampleEvidence({ content: { asked: ofSignature }, sentences }), { format: 'plain', link: LINK })
  expect(other).not.toContain('died of it')
})

test('an address can not end its own link', () => {
  const link = 'https://prowl.example.org/a)b]c|d>e/e/0123456789'
  const last = bugText(evidenceOf([]), { format: 'jira', link }).split('\n').at(-1)
  expect(last).toBe('[https://prowl.example.org/a%29b%5Dc%7Cd%3Ee/e/0123456789]')
})

test.each([
  ['its first line', evidenceOf([`a\n${'b'.repeat(200)}`]), `a ${'b'.repeat(117)}…`],
  ['else what was asked', evidenceOf([]), 'EOF'],
])('a title is %s', (_, evidence, title) => {
  expect(bugTitle(evidence)).toBe(title)
})
