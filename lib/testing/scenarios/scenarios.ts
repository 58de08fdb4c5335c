import { expect } from 'vitest'
import type { SampleStory } from '../sample/story.ts'
import { address, LINES_A_LOG, RUNS } from './bucket.ts'
import { knownScenarios, WORTH } from './known-scenarios.ts'
import { api, error, HTML, type Scenario } from './scenario.ts'

const search = (parameters: Readonly<Record<string, string>>) => `/api/v1/search?${new URLSearchParams(parameters)}`
const LONG = { maxAge: '150d' }
const lineOf = expect.any(Number)
const needles = (job: string) => Array.from({ length: LINES_A_LOG }, (_, i) => `${job} ${i + 1}`)
const EMOJI = 'job-\u{1f600}'
const REPLACEMENT = 'job-\u{fffd}'
const WORDS = 'périodique-été'

export function scenarios(story: SampleStory): Scenario[] {
  const heartbeat = story.signatures.find(({ id }) => id === 'boskos.heartbeat')?.incidents[0]?.runs[0]
  if (!heartbeat) throw new Error('the slice of the sample bucket has no incident of boskos.heartbeat')
  return [
    ...searches,
    ...tallies,
    ...knownScenarios(heartbeat.path),
    ...WORTH,
    ...peers,
    ...cursors,
    ...runs(heartbeat.path),
    ...failures,
    ...forms,
    ...refusals,
    ...pages(heartbeat.path),
  ]
}

const searches: Scenario[] = [
  {
    name: 'hits of one outage, newest run first, with counts and why',
    get: search({ search: 'boskos.ci.*EOF', groupBy: 'none', ...LONG }),
    answers: { 'cache-control': 'no-cache', link: null, 'prowl-cut': null },
    json: {
      found: { runs: 3, patterns: [{ pattern: 'boskos.ci.*EOF', runs: 3 }] },
      explained: [{ plan: '"boskos" & "eof"' }],
      partial: [],
    },
  },
  {
    name: 'a pattern and a job name beyond ASCII, and astral text in a span',
    get: search({ search: 'größe: CAFÉ \u{1f600}', name: '^périodique-' }),
    json: { found: { lines: 0 }, hits: [] },
  },
  {
    name: 'smart case folds beyond ASCII too',
    get: search({ search: 'größe: café .', name: '^périodique-' }),
    json: {
      found: { lines: 1, runs: 1, failedRuns: 1 },
      of: { runs: 1, jobs: 1 },
      hits: [{ job: WORDS, line: 2, text: 'Größe: café \u{1f600} überschritten', spans: [{ from: 0, to: 14 }] }],
    },
  },
  {
    name: 'escape codes are no part of what is matched',
    get: search({ search: '^red alert$' }),
    json: { hits: [{ job: WORDS, line: 4, text: 'red alert' }] },
  },
  {
    name: 'several patterns, each counted by itself',
    get: search({ search: 'début', context: '0', name: WORDS }).concat('&search=%3Cb%3Emarkup&search=nowhere'),
    json: {
      found: { lines: 2, runs: 1, patterns: [{ runs: 1 }, { runs: 1 }, { runs: 0 }] },
      hits: [
        { line: 1, patterns: [0], before: [], after: [] },
        { line: 3, patterns: [1], text: 'plain <b>markup</b>' },
      ],
    },
  },
  {
    name: 'runs in which all patterns match, with what each and each way of meeting counts',
    get: search({ search: 'needle', meet: 'all', maxPerRun: '1' }).concat('&search=emoji&search=of'),
    json: {
      found: {
        runs: 1,
        patterns: [{ runs: 2 }, { runs: 1 }, {}],
        meeting: { any: expect.any(Object), all: { runs: 1, failedRuns: 1 }, without: { runs: 0 } },
      },
      hits: [{ job: EMOJI, line: 1, patterns: [0, 1, 2] }],
      histogram: { unit: 'day', bins: expect.arrayContaining([expect.objectContaining({ runs: 1, failedRuns: 1 })]) },
    },
  },
  {
    name: 'runs in which the first pattern matches and the other does not',
    get: search({ search: 'needle', meet: 'without', maxPerRun: '1' }).concat('&search=emoji'),
    json: {
      found: { runs: 1, failedRuns: 0, meeting: { any: { runs: 2 }, all: { runs: 1 }, without: { runs: 1 } } },
      hits: [{ job: REPLACEMENT, line: 1, patterns: [0] }],
    },
  },
  {
    name: 'lines that are left out',
    get: search({ search: 'needle', name: EMOJI, groupBy: 'none', exclude: 'needle \\d\\d' }).concat('&exclude=[2468]'),
    json: { found: { lines: 5, runs: 1 }, hits: [1, 3, 5, 7, 9].map((line) => ({ line })) },
  },
  {
    name: 'a pattern of lines to leave out that is none',
    get: search({ search: 'a', exclude: 'b(' }),
    status: 400,
    json: error('REGEX_SYNTAX', { pattern: { parameter: 'exclude', index: 0, text: 'b(' }, position: 1 }),
  },
  {
    name: 'by result',
    get: search({ search: 'needle', result: 'success' }),
    json: { found: { runs: 1, failedRuns: 0, jobs: 1 }, groups: [{ key: REPLACEMENT }] },
  },
  {
    name: 'by kind of log',
    get: search({ search: 'heartbeat', type: 'container-log', groupBy: 'run', ...LONG }),
    json: { hits: expect.arrayContaining([expect.objectContaining({ log: expect.stringMatching(/lease\.log$/) })]) },
  },
  {
    name: 'by kind of log, none of which holds it',
    get: search({ search: 'needle', type: 'junit+ci-operator', ...LONG }),
    json: { found: { lines: 0, runs: 0 }, hits: [], partial: [] },
  },
  {
    name: 'by job names, taken and left out',
    get: search({ search: 'needle', name: '^job-', excludeName: '\u{1f600}' }),
    json: { found: { jobs: 1 }, groups: [{ key: REPLACEMENT, impact: { runs: 1, failed: 0, matchedRuns: 1 } }] },
  },
  {
    name: 'an absolute range ends before its end',
    get: search({ search: 'needle', from: '2026-10-19T06:00:00Z', to: '2026-10-19T06:00:00.001Z' }),
    json: { found: { runs: 2, days: [{ day: '2026-10-19', runs: 2, failedRuns: 1 }] } },
  },
  {
    name: 'a range that ends just before',
    get: search({ search: 'needle', from: '2026-10-18', to: '2026-10-19T06:00:00Z' }),
    json: { found: { runs: 0 }, hits: [] },
  },
  {
    name: 'grouped, a log gives five lines and says how many more',
    get: search({ search: 'needle', groupBy: 'run', name: EMOJI }),
    json: { hits: [{}, {}, {}, {}, { line: 5, more: LINES_A_LOG - 5 }], found: { lines: 5, runs: 1 } },
  },
  {
    name: 'text that is kept no longer is not found',
    get: search({ search: 'needle of old', ...LONG }),
    json: { found: { lines: 0 }, hits: [] },
  },
  {
    name: 'every line',
    get: search({ search: '', name: WORDS, groupBy: 'none' }),
    json: { found: { lines: 4 }, hits: [{ line: 1 }, { line: 2 }, { line: 3 }, { line: 4 }] },
  },
  {
    name: 'plain text for grep, asked by parameter',
    get: search({ search: 'überschritten|markup', format: 'text' }),
    answers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    shows: [
      `${WORDS} 12 build-log.txt:2: Größe: café \u{1f600} überschritten\n`,
      `${WORDS} 12 build-log.txt:3: plain <b>markup</b>\n`,
    ],
  },
  {
    name: 'plain text, asked by Accept',
    get: search({ search: 'red alert' }),
    headers: { accept: 'text/plain' },
    answers: { 'content-type': 'text/plain; charset=utf-8' },
    shows: [/^\S+ 12 build-log\.txt:4: red alert\n$/],
  },
]

/** Run addresses hold the port, so each store answers for itself; order and lines must be the same all the same. */
const peers: Scenario[] = [
  {
    name: 'as ci-search tells it, by pattern, newest first',
    get: '/v2/search?search=needle+1+of&search=CAF%C3%89&search=caf%C3%A9&type=build-log&maxAge=150d&context=0',
    answers: { 'prowl-partial': 'no', 'prowl-complete-to': expect.any(String), 'content-type': 'application/json' },
    json: {
      results: {
        'needle 1 of': {
          matches: [
            { name: REPLACEMENT, lastModified: null, filename: 'build-log', context: ['needle 1 of replacement'] },
            { name: EMOJI, context: ['needle 1 of emoji'], url: expect.stringContaining(address(RUNS.emoji.path)) },
          ],
        },
        café: { matches: [{ name: WORDS, context: ['Größe: café \u{1f600} überschritten'] }] },
      },
    },
    same: false,
  },
  {
    name: 'as ci-search tells it, more lines of a file than are given',
    get: `/search?search=needle&type=build-log&maxMatches=2&context=0&name=${encodeURIComponent(EMOJI)}&format=text`,
    shows: [`${EMOJI} 11 build-log.txt:1: needle 1 of emoji\n${EMOJI} 11 build-log.txt:2: needle 2 of emoji\n`],
  },
]

const TALLY = { search: 'needle (\\d+) of (?P<whose>\\w+)' }
const tallies: Scenario[] = [
  {
    name: 'a tally of what a named group caught, by run',
    get: api('tally', { ...TALLY, tally: 'run', group: 'whose' }),
    answers: { 'cache-control': 'no-cache', 'prowl-cut': null },
    json: {
      by: 'run',
      values: [
        { value: 'emoji', lines: LINES_A_LOG, runs: 1 },
        { value: 'replacement', lines: LINES_A_LOG, runs: 1 },
      ],
      others: { values: 0, lines: 0, untold: 0 },
      ...{ lines: 2 * LINES_A_LOG, runs: 2, partial: [] },
    },
  },
  {
    name: 'a tally by line of the first group, its top and the rest, and how its numbers lie',
    get: api('tally', { ...TALLY, top: '2', exclude: 'needle 1 of r' }),
    json: {
      by: 'line',
      values: [
        { value: '10', lines: 2, runs: 2 },
        { value: '100', lines: 2, runs: 2 },
      ],
      others: { values: LINES_A_LOG - 2, lines: 2 * LINES_A_LOG - 5 },
      spread: { unit: 'number', least: 1, most: LINES_A_LOG },
    },
  },
  {
    name: 'a tally as text, as uniq -c prints it',
    get: api('tally', { ...TALLY, group: '2', name: '^job-', format: 'text' }),
    answers: { 'content-type': 'text/plain; charset=utf-8' },
    shows: [`    250 emoji\n    250 replacement\n`],
  },
  {
    name: 'a tally of a group that no pattern has',
    get: api('tally', { ...TALLY, group: 'region' }),
    status: 400,
    json: error('QUERY_INVALID', { detail: expect.stringMatching(/^group: .*1, whose/) }),
  },
]

const cursors: Scenario[] = [
  {
    name: 'pages laid end to end hold every line once, in the order of bytes, cut amid a log',
    get: search({ search: '^needle', groupBy: 'none' }),
    answers: { link: expect.stringMatching(/^<\/api\/v1\/search\?.*after=.*>; rel="next"$/) },
    json: { partial: ['limit'], hits: expect.objectContaining({ length: 200 }) },
    pages: [...needles(REPLACEMENT), ...needles(EMOJI)],
  },
  {
    name: 'pages over a job beyond ASCII alone',
    get: search({ search: '^needle', groupBy: 'none', name: EMOJI, result: 'failure' }),
    pages: needles(EMOJI),
  },
]

function runs(heartbeat: string): Scenario[] {
  return [
    {
      name: 'a run with the window round its first hit',
      get: api(`runs/${address(heartbeat)}`),
      json: {
        run: { path: heartbeat },
        expired: false,
        hits: expect.arrayContaining([
          expect.objectContaining({ hit: expect.objectContaining({ signature: 'boskos.heartbeat', line: lineOf }) }),
        ]),
        window: { log: { kind: 'build-log' }, hitLines: expect.any(Array) },
      },
    },
    {
      name: 'a run beyond ASCII, a range of lines, as they were',
      get: api(`runs/${address(RUNS.words.path)}`, { log: 'build-log.txt', line: '2', to: '4' }),
      json: {
        run: { job: WORDS, buildId: '12', result: 'failure' },
        logs: [{ name: 'build-log.txt', kind: 'build-log', lines: 4 }],
        window: { from: 1, lines: RUNS.words.log.map((text, i) => ({ number: i + 1, text })) },
      },
    },
    {
      name: 'a run whose text is kept no longer, with its hit and the lines round it',
      get: api(`runs/${address(RUNS.expired.path)}`),
      json: {
        expired: true,
        hits: [{ hit: { signature: 'boskos.heartbeat', cause: 'eof', line: 2, before: ['needle of old'] } }],
      },
    },
    {
      name: 'the bytes of a log',
      get: api(`raw/${address(RUNS.words.path)}`),
      answers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-security-policy': "default-src 'none'; sandbox",
        'prowl-truncated-from': null,
      },
      shows: [`${RUNS.words.log.join('\n')}\n`],
    },
  ]
}

const failures: Scenario[] = [
  {
    name: 'triage',
    get: api('triage'),
    json: {
      coverage: { window: { days: 14 } },
      news: { since: expect.any(Number) },
      rows: expect.arrayContaining([
        expect.objectContaining({ signature: expect.objectContaining({ id: 'boskos.heartbeat' }) }),
      ]),
    },
  },
  { name: 'the catalogue', get: api('signatures'), json: { problems: [] } },
  {
    name: 'a signature: its incidents, cadence and hours watched',
    get: api('signatures/boskos.heartbeat'),
    json: {
      signature: { id: 'boskos.heartbeat' },
      cadence: { unit: 'days', exposedRuns: expect.any(Number) },
      incidents: expect.arrayContaining([expect.objectContaining({ causes: ['eof', 'no_route'] })]),
    },
  },
  { name: 'a per-run failure', get: api('signatures/dns.timeout'), json: { cadence: { unit: 'runs' } } },
  {
    name: 'where a failure strikes, and its scorecard',
    get: api('signatures/boskos.heartbeat/figures'),
    json: { window: { days: 90 } },
  },
  { name: 'coverage', get: api('coverage', { days: '90' }), json: { window: { days: 90 } } },
  {
    name: 'status',
    get: api('status'),
    json: {
      store: { problems: [], brokenLogs: 1 },
      freshness: { state: 'fresh', pending: 1 },
      buckets: [{ bucket: 'dir://scenarios', queue: 0, retrying: 0, givenUp: 0, gaps: [] }],
    },
  },
]

const forms: Scenario[] = [
  {
    name: 'a page as lines',
    get: '/signatures/boskos.heartbeat?format=text',
    answers: { 'content-type': 'text/plain; charset=utf-8' },
    shows: [/^signature: boskos\.heartbeat\n/, /\nincident\tat\truns\t/],
  },
  {
    name: 'the page of a run beyond ASCII as lines',
    get: `/runs/${address(RUNS.words.path)}`,
    headers: { accept: 'text/plain' },
    shows: [`\njob: ${WORDS}\n`],
  },
  {
    name: 'a table for spreadsheets',
    get: search({ search: 'überschritten', format: 'csv' }),
    answers: { 'content-type': 'text/csv; charset=utf-8' },
    shows: [/^time,job,build,result,log,line,text,run\r\n\S+,périodique-été,12,failure,build-log\.txt,2,/],
  },
  {
    name: 'lines as they are found, and in the end what lacks',
    get: search({ search: '^needle', name: EMOJI }),
    headers: { accept: 'application/x-ndjson' },
    answers: { 'content-type': 'application/x-ndjson' },
    shows: [/^\{"hit":\{.*\}\n(\{"hit":.*\n)+\{"done":\{"lines":\d+,"partial":\[\],"completeTo":\d+.*\}\}\n$/],
  },
  {
    name: 'a pattern that is none, refused before the first line',
    get: search({ search: 'a(', format: 'ndjson' }),
    status: 400,
    json: error('REGEX_SYNTAX'),
  },
  { name: 'where the API has nothing', get: '/api/v1/no/such', status: 404, json: error('NOT_FOUND') },
  { name: 'alive', get: '/healthz', shows: ['ok'] },
  { name: 'ready', get: '/readyz', shows: ['ok'] },
  {
    name: 'what Prometheus reads',
    get: '/metrics',
    shows: ['prowl_store_up 1', /prowl_runs\{result="failure"\} \d/],
    same: false,
  },
]

const refusals: Scenario[] = [
  {
    name: 'a pattern that is none, with the position of its fault',
    get: search({ search: 'boskos(' }),
    status: 400,
    json: error('REGEX_SYNTAX', { position: 6 }),
  },
  {
    name: 'a lookahead',
    get: search({ search: 'a(?=b)' }),
    status: 400,
    json: error('REGEX_UNSUPPORTED', { position: 1 }),
  },
  {
    name: 'a duration that is none',
    get: search({ search: 'a', maxAge: 'soon' }),
    status: 400,
    json: error('QUERY_INVALID', { detail: expect.stringMatching(/^maxAge: /) }),
  },
  {
    name: 'a cursor that no answer gave',
    get: search({ search: 'a', after: 'bm9uZQ' }),
    status: 400,
    json: error('QUERY_INVALID', { detail: expect.stringMatching(/^after: /) }),
  },
  { name: 'no pattern', get: '/api/v1/search', status: 400, json: error('QUERY_INVALID') },
  {
    name: 'a run that is not here',
    get: api(`runs/${address('logs/nowhere/1')}`),
    status: 404,
    json: error('NOT_FOUND'),
  },
  { name: 'half an address', get: api('runs/gs'), status: 400, json: error('QUERY_INVALID') },
  {
    name: 'a line that is none',
    get: api(`runs/${address(RUNS.words.path)}`, { line: '0' }),
    status: 400,
    json: error('QUERY_INVALID', { detail: expect.stringMatching(/^line: /) }),
  },
  {
    name: 'a log that the run has not',
    get: api(`raw/${address(RUNS.words.path)}`, { log: 'x' }),
    status: 404,
    json: error('NOT_FOUND'),
  },
  {
    name: 'a log whose text is kept no longer',
    get: api(`raw/${address(RUNS.expired.path)}`),
    status: 404,
    json: error('NOT_FOUND'),
  },
  { name: 'a signature that is not here', get: api('signatures/no.such'), status: 404, json: error('NOT_FOUND') },
  { name: 'an incident that is not here', get: api('incidents/nosuch'), status: 404, json: error('NOT_FOUND') },
]

function pages(heartbeat: string): Scenario[] {
  return [
    { name: 'the triage page', get: '/', shows: ['Boskos lease lost'] },
    {
      name: 'a search page of patterns that meet',
      get: `/search?search=needle&search=emoji&meet=without`,
      headers: HTML,
      shows: [REPLACEMENT, 'with the first pattern and none of the others', 'Runs that match by day'],
    },
    {
      name: 'a search page with a tally',
      get: `/search?${new URLSearchParams({ ...TALLY, tally: 'run', group: 'whose' })}`,
      headers: HTML,
      shows: ['2 values', /emoji 1 50% \(1.3–99\) 250/],
    },
    { name: 'an old link', get: '/?search=gr%C3%B6%C3%9Fe', shows: [WORDS, 'überschritten'] },
    {
      name: 'the search page',
      get: `/search?search=needle&name=${EMOJI}`,
      headers: HTML,
      shows: [EMOJI, 'needle 1 of emoji'],
    },
    {
      name: 'a search page with a fault',
      get: '/search?search=a(',
      headers: HTML,
      status: 400,
      shows: [/missing closing \)/],
    },
    { name: 'the page of a run', get: `/runs/${address(heartbeat)}`, shows: ['Boskos lease lost'] },
    { name: 'the page of a run beyond ASCII', get: `/runs/${address(RUNS.words.path)}`, shows: [WORDS, 'début'] },
    {
      name: 'the page of a run whose text is gone',
      get: `/runs/${address(RUNS.expired.path)}`,
      shows: ['The text of its logs is kept no longer', 'Boskos lease lost'],
    },
    { name: 'the page of a job', get: `/jobs/${encodeURIComponent(EMOJI)}`, shows: [EMOJI] },
    { name: 'the page of a signature', get: '/signatures/boskos.heartbeat', shows: ['Boskos lease lost', 'incident'] },
    { name: 'the status page', get: '/status', shows: ['dir://scenarios'], same: false },
    { name: 'a page that is not here', get: '/no/such/page', status: 404 },
    { name: 'the page of a run that is not here', get: `/runs/${address('logs/nowhere/1')}`, status: 404 },
  ]
}
