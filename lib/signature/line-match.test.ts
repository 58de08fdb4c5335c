import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matchText } from '../text/match-text.ts'
import { type Catalogue, loadCatalogue, parseCatalogue } from './catalogue.ts'
import { matchLine } from './line-match.ts'

const catalogue = await loadCatalogue(['signatures'])
const boskos = catalogue.signatures.filter((signature) => signature.source.file.endsWith('boskos.yaml'))
const idsOf = (line: string, of: Catalogue) => matchLine(of, line).map(({ signature }) => signature)

test('every file below signatures/ is without fault', () => expect(catalogue.problems).toEqual([]))

describe('signatures/boskos.yaml', () => {
  test('holds all, each signature with samples of both sorts', () => {
    expect(boskos).toHaveLength(14)
    for (const { id, advice, samples } of boskos) {
      expect(advice, id).toBeTruthy()
      expect(samples.match.length, id).toBeGreaterThan(0)
      expect(samples.noMatch.length, id).toBeGreaterThan(0)
    }
  })

  test.each([
    ['pull-ci-openshift-ci-tools-master-unit', true],
    ['pull-boskos-unit-test', true],
    ['pull-test-infra-bazel', true],
    ['post-boskos-push-images', false],
    ['pull-ci-openshift-installer-master-e2e-aws', false],
    ['ci-kubernetes-unit', false],
  ])('exclude_jobs on %s: %s', (job, excluded) => {
    const patterns = boskos.flatMap(({ excludeJobs }) => excludeJobs)
    expect(patterns.length).toBe(boskos.length)
    expect(patterns.every((pattern) => new RegExp(pattern).test(job))).toBe(excluded)
  })
})

const post = (url: string, tail: string) => `Post ${url}: ${tail}`
const update = (host: string) => `http://${host}/update?name=slice-1&owner=job-a&state=leased`

describe('lines', () => {
  const cases: readonly (readonly [line: string, expected: Record<string, string>])[] = [
    [
      `failed to send heartbeat for resource "slice-1": ${post(update('boskos.ci'), 'EOF')}`,
      { 'boskos.heartbeat': 'eof', 'boskos.transport': 'eof' },
    ],
    [
      `failed to send heartbeat for resource "slice-1": ${post(update('boskos.ci'), 'dial tcp 172.30.8.41:80: connect: no route to host')}`,
      { 'boskos.heartbeat': 'no_route', 'boskos.transport': 'no_route' },
    ],
    [
      `failed to send heartbeat for resource "slice-1": [Post "${update('boskos')}": EOF, Post "${update('boskos')}": dial tcp 172.30.8.41:80: connect: connection refused]`,
      { 'boskos.heartbeat': 'eof', 'boskos.transport': 'eof' },
    ],
    ['failed to send heartbeat for resource "s": resources not found', { 'boskos.heartbeat': '' }],
    ['failed to acquire a resource: resources not found', { 'lease.exhausted': '', 'lease.acquire_error': '' }],
    [
      `{"error":"Post \\"http://boskos/update?name=s\\u0026owner=x\\": dial tcp: lookup boskos on 10.0.0.2:53: no such host","msg":"Failed to update lease \\"s\\""}`,
      { 'lease.update': '' },
    ],
    [
      `{"error":"Post \\"http://boskos/update?name=s\\u0026owner=x\\": dial tcp: lookup boskos on 10.0.0.2:53: no such host","msg":"cannot go on"}`,
      { 'boskos.transport': 'dns' },
    ],
    ['{"msg":"two\\nlines: failed to acquire a resource: gone\\r\\nend"}', { 'lease.acquire_error': '' }],
    ['{"msg":"\\u001b[31mFailed to update leases.\\u001b[0m"}', { 'lease.lost': '' }],
    ['{"msg":"a","error":{"deep":"Failed to update leases."}}', {}],
    ['{"text":"Failed to update leases."}', { 'lease.lost': '' }],
    ['{"msg": Failed to update leases.', { 'lease.lost': '' }],
    ['[Failed to update leases.]', { 'lease.lost': '' }],
    ['heartbeat sent for resource "slice-1"', {}],
    ["+ grep -c 'failed to send heartbeat for resource' lease.log", {}],
    ['', {}],
  ]
  test.each(cases)('%s', (line, expected) => {
    const found = matchLine({ signatures: boskos, problems: [] }, line)
    expect(Object.fromEntries(found.map(({ signature, cause }) => [signature, cause]))).toEqual(expected)
  })

  test('captures come with the match', () => {
    const [match] = matchLine({ signatures: boskos, problems: [] }, 'Failed to update lease "slice-9"')
    expect(match).toMatchObject({ signature: 'lease.update', groups: { res: 'slice-9' } })
  })

  test('a field yields only to a signature that the record says before it', () => {
    const rules = (yields: string) => `
signatures:
  - { id: a, title: A, kind: per-run, regexes: [alpha] }
  - { id: b, title: B, kind: per-run, regexes: [beta], yields_to: ${yields} }
`
    const of = (yields: string) => parseCatalogue([{ file: 'x.yaml', text: rules(yields) }])
    expect(idsOf('{"msg":"alpha","error":"beta"}', of('[a]'))).toEqual(['a'])
    expect(idsOf('{"msg":"alpha","error":"beta"}', of('[]'))).toEqual(['a', 'b'])
    expect(idsOf('{"msg":"beta","error":"alpha"}', of('[a]'))).toEqual(['a', 'b'])
    expect(idsOf('alpha beta', of('[a]'))).toEqual(['a', 'b'])
  })
})

const labelled = '../shared/samples/derived/lines.jsonl'

describe.skipIf(!existsSync(labelled))('the labelled lines of the shared samples', () => {
  const lines = existsSync(labelled) ? readFileSync(labelled, 'utf8').trim().split('\n') : []
  test('are 49', () => expect(lines).toHaveLength(49))
  test.each(lines.map((text) => JSON.parse(text)))('$line', ({ line, expect: ids, cause }) => {
    const found = matchLine({ signatures: boskos, problems: [] }, matchText(Buffer.from(line), false))
    expect(found.map(({ signature }) => signature).sort()).toEqual([...ids].sort())
    if (cause) expect(new Set(found.map((match) => match.cause).filter(Boolean))).toEqual(new Set([cause]))
    else expect(found.filter((match) => match.cause)).toEqual([])
  })
})
