import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalogue, parseCatalogue } from './catalogue.ts'

const FULL = `
causes:
  - { id: eof, title: End of file, regex: 'EOF$' }
  - { id: late, title: Too late, regex: 'timeout' }
signatures:
  - id: net.lost
    title: Connection lost
    advice: Retest.
    kind: outage
    regexes: ['lost (?P<res>\\w+): (?P<cause>.+)']
    excludes: [on purpose]
    exclude_jobs: [unit]
    logs: [build-log, container-log]
    causes: [eof, late]
    yields_to: [net.other]
    witness: 'kept \\w+'
    clock: { start: 'began at (?P<time>\\S+)', every: 30s }
    window: 10m
    max_span: 2h
    status: { state: muted, until: 2026-03-01, reason: known }
    owner: net-team
    chat: '#net'
    component: net
    blames: infra
    bugs: ['https://bugs.example.org/1', {url: 'https://bugs.example.org/2', closed: 2026-02-01}]
    changes:
      - { at: 2026-02-01T08:00:00Z, title: Second, link: 'https://example.org/2' }
    replaces: [net.old]
    samples: { match: ['lost a: EOF'], no_match: ['lost a: EOF on purpose'] }
  - id: net.eof
    title: Connection cut
    owner: eof-team
    part: { of: net.lost, causes: [eof] }
    samples: { match: ['lost a: EOF'], no_match: ['lost a: timeout'] }
  - { id: net.other, title: Other, kind: per-run, regexes: [other] }
changes:
  - { signature: net.lost, at: 2026-01-01, title: First }
  - { signature: net.eof, at: 2026-01-15, title: Only the cut ones }
`
const parse = (...texts: string[]) => parseCatalogue(texts.map((text, index) => ({ file: `${index + 1}.yaml`, text })))
const ids = (catalogue: ReturnType<typeof parse>) => catalogue.signatures.map(({ id }) => id)

describe('a whole file', () => {
  const catalogue = parse(FULL)
  const [lost, eof, other] = catalogue.signatures

  test('has no problems', () => expect(catalogue.problems).toEqual([]))

  test('is read word for word', () => {
    expect(lost).toEqual({
      id: 'net.lost',
      title: 'Connection lost',
      advice: 'Retest.',
      kind: 'outage',
      regexes: ['lost (?P<res>\\w+): (?P<cause>.+)'],
      excludes: ['on purpose'],
      excludeJobs: ['unit'],
      logs: ['build-log', 'container-log'],
      causes: [
        { id: 'eof', title: 'End of file', regex: 'EOF$' },
        { id: 'late', title: 'Too late', regex: 'timeout' },
      ],
      yieldsTo: ['net.other'],
      witness: 'kept \\w+',
      clock: { start: 'began at (?P<time>\\S+)', everySeconds: 30 },
      windowMs: 600_000,
      maxSpanMs: 7_200_000,
      status: { state: 'muted', until: Date.UTC(2026, 2, 1), reason: 'known' },
      owner: 'net-team',
      chat: '#net',
      component: 'net',
      blames: 'infra',
      bugs: ['https://bugs.example.org/1', 'https://bugs.example.org/2'],
      closedBugs: [{ bug: 'https://bugs.example.org/2', at: Date.UTC(2026, 1, 1) }],
      changes: [
        { at: Date.UTC(2026, 0, 1), title: 'First' },
        { at: Date.UTC(2026, 1, 1, 8), title: 'Second', link: 'https://example.org/2' },
      ],
      replaces: ['net.old'],
      samples: { match: ['lost a: EOF'], noMatch: ['lost a: EOF on purpose'] },
      source: { file: '1.yaml', line: 6 },
      definition: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  test('a part takes what it does not say from its parent', () => {
    expect(eof).toEqual({
      ...lost,
      id: 'net.eof',
      title: 'Connection cut',
      owner: 'eof-team',
      part: { of: 'net.lost', causes: ['eof'] },
      causes: [{ id: 'eof', title: 'End of file', regex: 'EOF$' }],
      changes: [lost?.changes[0], { at: Date.UTC(2026, 0, 15), title: 'Only the cut ones' }, lost?.changes[1]],
      replaces: [],
      samples: { match: ['lost a: EOF'], noMatch: ['lost a: timeout'] },
      source: { file: '1.yaml', line: 30 },
      definition: expect.any(String),
    })
  })

  test('what is left out has its default', () => {
    expect(other).toMatchObject({ windowMs: 1_800_000, maxSpanMs: 21_600_000, status: { state: 'active' }, logs: [] })
    expect(other).not.toHaveProperty('owner')
  })
})

describe('the definition', () => {
  const of = (from: string, to: string, id = 'net.lost') => {
    const edited = FULL.replace(from, to)
    expect(edited).not.toBe(FULL)
    const catalogue = parse(edited)
    expect(catalogue.problems).toEqual([])
    return catalogue.signatures.find((signature) => signature.id === id)?.definition
  }
  const [lost, eof] = parse(FULL).signatures.map(({ definition }) => definition)

  test.each([
    ["(?P<cause>.+)'", "(?P<cause>.*)'"],
    ['[on purpose]', '[on purpose, ever]'],
    ['[unit]', '[units]'],
    ['[build-log, container-log]', '[build-log]'],
    ["'EOF$'", 'EOF'],
    ["'kept \\w+'", 'kept'],
    ['every: 30s', 'every: 31s'],
    ['[net.other]', '[]'],
  ])('changes with %s, and the part’s too', (from, to) => {
    expect(of(from, to)).not.toBe(lost)
    expect(of(from, to, 'net.eof')).not.toBe(eof)
  })

  test('changes with a cause, but not that of a part without it', () => {
    expect(of("'timeout'", 'timed')).not.toBe(lost)
    expect(of("'timeout'", 'timed', 'net.eof')).toBe(eof)
  })

  test.each([
    ['title: Connection lost', 'title: Lost'],
    ['Retest.', 'Retest it.'],
    ['window: 10m', 'window: 11m'],
    ['title: Second', 'title: Next'],
    ['title: End of file', 'title: EOF'],
    ["match: ['lost a: EOF']", 'match: []'],
  ])('does not change with %s', (from, to) => expect(of(from, to)).toBe(lost))
})

const GOOD = '  - { id: good, title: Good, kind: per-run, regexes: [good] }\n'
const one = (line: string) => `signatures:\n${GOOD}${line}\n`
const bad = (rest: string) => one(`  - { id: bad, title: Bad, kind: per-run, ${rest} }`)

describe('what is wrong is told by file, line and signature, and the rest stands', () => {
  test.each<[string, string, { line: number; signature?: string; message: RegExp | string }]>([
    ['no regex', bad('owner: x'), { line: 3, signature: 'bad', message: /^regexes: / }],
    ['an empty list', bad('regexes: []'), { line: 3, signature: 'bad', message: /^regexes: / }],
    ['a wrong type', bad('regexes: [[1]]'), { line: 3, signature: 'bad', message: /^regexes\[0\]: / }],
    ['a typo', bad('regexes: [a], exclude_job: [b]'), { line: 3, signature: 'bad', message: /exclude_job/ }],
    ['a bad regex', bad("regexes: ['a(b']"), { line: 3, signature: 'bad', message: /^.*\(at character \d+\)$/ }],
    ['a bad witness', bad("regexes: [a], witness: '*'"), { line: 3, signature: 'bad', message: /at character 1/ }],
    [
      'a bad exclude',
      bad("regexes: [a], excludes: [b, '[z-a]']"),
      { line: 3, signature: 'bad', message: /at character/ },
    ],
    [
      'a clock without time',
      bad('regexes: [a], clock: { start: b, every: 5s }'),
      { line: 3, signature: 'bad', message: /`time`/ },
    ],
    [
      'a bad duration',
      bad('regexes: [a], window: soon'),
      { line: 3, signature: 'bad', message: /^window: expected a duration/ },
    ],
    ['a negative duration', bad("regexes: [a], window: '-5m'"), { line: 3, signature: 'bad', message: /^window: / }],
    [
      'a bad date',
      bad('regexes: [a], status: { state: muted, until: tomorrow }'),
      { line: 3, signature: 'bad', message: /^status/ },
    ],
    [
      'a bad state',
      bad('regexes: [a], status: off'),
      { line: 3, signature: 'bad', message: /^status: expected `active`/ },
    ],
    [
      'an unsafe link',
      bad("regexes: [a], bugs: ['javascript:alert(1)']"),
      { line: 3, signature: 'bad', message: /^bugs\[0\]: .*http/ },
    ],
    [
      'a bug that is closed at no date',
      bad("regexes: [a], bugs: [{url: 'https://bugs.example.org/1', closed: true}]"),
      { line: 3, signature: 'bad', message: /^bugs\[0\]/ },
    ],
    [
      'an unknown log kind',
      bad('regexes: [a], logs: [journal]'),
      { line: 3, signature: 'bad', message: /^logs\[0\]: / },
    ],
    [
      'an unknown cause',
      bad('regexes: [a], causes: [nope]'),
      { line: 3, signature: 'bad', message: 'cause `nope` is unknown' },
    ],
    [
      'an unknown yields_to',
      bad('regexes: [a], yields_to: [nope]'),
      { line: 3, signature: 'bad', message: /`nope` is unknown/ },
    ],
    [
      'a sample that does not match',
      bad('regexes: [a], samples: { match: [bcd] }'),
      { line: 3, signature: 'bad', message: 'must match but does not: "bcd"' },
    ],
    [
      'a sample that matches',
      bad('regexes: [a], samples: { no_match: [bad] }'),
      { line: 3, signature: 'bad', message: 'must not match but does: "bad"' },
    ],
    ['a doubled id', one(GOOD), { line: 3, signature: 'good', message: '`good` is already defined at 1.yaml:2' }],
    [
      'a bad id',
      one('  - { id: A b, title: x, kind: per-run, regexes: [a] }'),
      { line: 3, signature: 'A b', message: /^id: use lower-case/ },
    ],
    ['no id', one('  - { title: x, kind: per-run, regexes: [a] }'), { line: 3, message: /^id: / }],
    ['no map', one('  - just words'), { line: 3, message: /expected object/ }],
    [
      'a part of nothing',
      one('  - { id: bad, title: x, part: { of: nope, causes: [a] } }'),
      { line: 3, signature: 'bad', message: 'part of `nope`, which is unknown' },
    ],
    [
      'a part with a strange cause',
      one('  - { id: bad, title: x, part: { of: good, causes: [a] } }'),
      { line: 3, signature: 'bad', message: '`good` has no cause `a`' },
    ],
    [
      'a part with rules',
      one('  - { id: bad, title: x, regexes: [a], part: { of: good, causes: [a] } }'),
      { line: 3, signature: 'bad', message: /^regexes: a part takes/ },
    ],
    ['a bad cause', `${one('')}causes: [{ id: c, title: c, regex: '(' }]`, { line: 4, message: /^cause `c`: / }],
    [
      'a doubled cause',
      `${one('')}causes:\n  - { id: c, title: c, regex: a }\n  - { id: c, title: c, regex: b }`,
      { line: 6, message: 'cause `c` is defined twice' },
    ],
    ['a reserved cause', `${one('')}causes: [{ id: witness, title: c, regex: a }]`, { line: 4, message: /reserved/ }],
    [
      'a change of nothing',
      `${one('')}changes: [{ signature: nope, at: 2026-01-01, title: x }]`,
      { line: 4, signature: 'nope', message: /no file defines/ },
    ],
    [
      'a change without a date',
      `${one('')}changes: [{ signature: good, at: soon, title: x }]`,
      { line: 4, signature: 'good', message: /^at: expected a UTC date/ },
    ],
    ['an unknown list', `${one('')}rules: []`, { line: 4, message: /^unknown key `rules`/ }],
    ['a list that is none', `${one('')}causes: 7`, { line: 4, message: '`causes` must be a list' }],
  ])('%s', (_, text, problem) => {
    const catalogue = parse(text, 'signatures:\n  - { id: more, title: More, kind: per-run, regexes: [more] }')
    const message = typeof problem.message === 'string' ? problem.message : expect.stringMatching(problem.message)
    expect(catalogue.problems).toEqual([{ file: '1.yaml', ...problem, message }])
    expect(ids(catalogue)).toEqual(['good', 'more'])
  })

  test.each([
    ['broken YAML', 'signatures:\n  - { id: bad\n- [', 3],
    ['two documents', 'signatures: []\n---\nsignatures: []', 2],
    ['a doubled key', 'signatures: []\nsignatures: []', 2],
    ['a word', 'hello', 1],
    ['a list', '- a', 1],
    [
      'an alias bomb',
      `x: &a [1,1,1,1,1,1,1,1,1,1]\ny: &b [${'*a,'.repeat(40)}*a]\nz: &c [${'*b,'.repeat(40)}*b]\nsignatures: [${'*c,'.repeat(40)}*c]`,
      1,
    ],
  ])('%s costs the file, not the others', (_, text, line) => {
    const catalogue = parse(text, one(''))
    expect(catalogue.problems.length).toBeGreaterThan(0)
    expect(catalogue.problems[0]).toMatchObject({ file: '1.yaml' })
    expect(catalogue.problems[0]?.line).toBeGreaterThanOrEqual(line)
    expect(ids(catalogue)).toEqual(['good'])
  })

  test('several problems of several files come in order', () => {
    const two = `${bad('regexes: [a], window: x, logs: [y]')}  - { id: worse, title: W }\n`
    const { problems } = parse(two, two)
    expect(problems.map(({ file, line, signature }) => `${file}:${line} ${signature}`)).toEqual([
      '1.yaml:3 bad',
      '1.yaml:3 bad',
      '1.yaml:4 worse',
      '1.yaml:4 worse',
      '2.yaml:2 good',
      '2.yaml:3 bad',
      '2.yaml:3 bad',
      '2.yaml:4 worse',
      '2.yaml:4 worse',
    ])
  })

  test('one broken signature does not break what yields to it, but its parts', () => {
    const catalogue = parse(`
signatures:
  - { id: broken, title: B, kind: per-run, regexes: ['('], causes: [] }
  - { id: other, title: O, kind: per-run, regexes: [o], yields_to: [broken] }
  - { id: phase, title: P, part: { of: broken, causes: [a] } }
`)
    expect(ids(catalogue)).toEqual(['other'])
    expect(catalogue.problems.map(({ line, signature }) => [line, signature])).toEqual([
      [3, 'broken'],
      [5, 'phase'],
    ])
  })

  test('lines of values deep in an entry, and through an alias', () => {
    const text = `
signatures:
  - id: a
    title: A
    kind: per-run
    regexes:
      - fine
      - '(('
  - id: b
    title: B
    kind: per-run
    regexes: &shared
      - '[['
  - id: c
    title: C
    kind: per-run
    regexes: *shared
`
    expect(parse(text).problems.map(({ line, signature }) => [line, signature])).toEqual([
      [8, 'a'],
      [13, 'b'],
      [17, 'c'],
    ])
  })
})

test('causes, changes and parts reach over files, whatever their order', () => {
  const [causes, signatures, changes] = [
    "causes: [{ id: c, title: C, regex: 'x' }]",
    "signatures: [{ id: s, title: S, kind: outage, regexes: ['(?P<cause>.)'], causes: [c] }]",
    'changes: [{ signature: s, at: 2026-01-01, title: T }]\nsignatures: [{ id: p, title: P, part: { of: s, causes: [c] } }]',
  ]
  for (const order of [
    [causes, signatures, changes],
    [changes, signatures, causes],
  ]) {
    const catalogue = parse(...order.filter((text) => text !== undefined))
    expect(catalogue.problems).toEqual([])
    expect(new Set(ids(catalogue))).toEqual(new Set(['s', 'p']))
    for (const signature of catalogue.signatures) expect(signature.changes).toHaveLength(1)
  }
})

test('the example of docs/signatures.md is without fault', async () => {
  const docs = await readFile('docs/signatures.md', 'utf8')
  const [, example] = /```yaml\n(.*?)```/s.exec(docs) ?? []
  const catalogue = parse(example ?? '')
  expect(catalogue.problems).toEqual([])
  expect(catalogue.signatures[0]?.changes).toHaveLength(1)
})

test('empty files say nothing', () => {
  expect(parse('', '# only a comment', 'signatures:', '---')).toEqual({ signatures: [], problems: [] })
})

describe('directories', () => {
  let dir = ''
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'prowl-catalogue-'))
    await mkdir(join(dir, 'a', 'folder.yaml'), { recursive: true })
    await mkdir(join(dir, 'b'))
    await writeFile(join(dir, 'a', 'z.yaml'), one(''))
    await writeFile(join(dir, 'a', 'README.md'), 'not: read')
    await writeFile(join(dir, 'a', '.hidden.yaml'), 'not: read')
    await writeFile(join(dir, 'b', 'a.yml'), 'changes: [{ signature: good, at: 2026-01-01, title: T }]')
  })
  afterAll(() => rm(dir, { recursive: true }))

  test('are read in their order; what can’t be read is a problem, what is missing is not', async () => {
    const catalogue = await loadCatalogue(['a', 'missing', 'b'].map((name) => join(dir, name)))
    expect(ids(catalogue)).toEqual(['good'])
    expect(catalogue.signatures[0]?.changes).toHaveLength(1)
    expect(catalogue.problems).toEqual([
      { file: join(dir, 'a', 'folder.yaml'), line: 1, message: expect.stringContaining('EISDIR') },
    ])
    const file = await loadCatalogue([join(dir, 'a', 'z.yaml')])
    expect(file.problems).toMatchObject([{ line: 1, message: expect.stringContaining('ENOTDIR') }])
  })
})
