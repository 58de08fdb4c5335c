import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadDeployments, parseDeployments } from './deployments.ts'
import { bucketNames, type LinkAnchor, type LinkedRun, linksOf, pullHistoryLink, pullLink } from './links.ts'

const deployments = loadDeployments()
const PERIODIC = { path: 'logs/e2e-aws/8664', job: 'e2e-aws', buildId: '8664' }
const PULL = {
  path: 'pr-logs/pull/openshift_installer/2301/pull-ci-e2e/77',
  job: 'pull-ci-e2e',
  buildId: '77',
  refs: { org: 'openshift', repo: 'installer', pulls: [{ number: 2301 }] },
}
const GCSWEB = 'https://gcsweb-ci.apps.ci.l2s4.p1.openshiftapps.com/gcs/test-platform-results'
const DECK = 'https://prow.ci.openshift.org'

const TABLE: readonly {
  name: string
  run: LinkedRun
  anchor?: LinkAnchor
  links: ReturnType<typeof linksOf>
}[] = [
  {
    name: 'a run of a renamed bucket',
    run: { bucket: 'gs://origin-ci-test', ...PERIODIC },
    links: {
      prowl: '/runs/gs/origin-ci-test/logs/e2e-aws/8664',
      spyglass: `${DECK}/view/gs/test-platform-results/logs/e2e-aws/8664`,
      jobHistory: `${DECK}/job-history/gs/test-platform-results/logs/e2e-aws`,
      artifacts: `${GCSWEB}/logs/e2e-aws/8664/`,
    },
  },
  {
    name: 'a line of build-log.txt, in a directory named like a bucket',
    run: { bucket: 'dir://origin-ci-test', ...PERIODIC },
    anchor: { log: 'build-log.txt', line: 4097 },
    links: {
      prowl: '/runs/dir/origin-ci-test/logs/e2e-aws/8664?log=build-log.txt&line=4097#L4097',
      spyglass: `${DECK}/view/gs/test-platform-results/logs/e2e-aws/8664#1:build-log.txt%3A4097`,
      jobHistory: `${DECK}/job-history/gs/test-platform-results/logs/e2e-aws`,
      artifacts: `${GCSWEB}/logs/e2e-aws/8664/`,
    },
  },
  {
    name: 'a line of another log, of a pull request',
    run: { bucket: 'gs://test-platform-results', ...PULL },
    anchor: { log: 'artifacts/e2e/container-logs/lease.log', line: 12 },
    links: {
      prowl: `/runs/gs/test-platform-results/${PULL.path}?log=artifacts%2Fe2e%2Fcontainer-logs%2Flease.log&line=12#L12`,
      spyglass: `${DECK}/view/gs/test-platform-results/${PULL.path}`,
      jobHistory: `${DECK}/job-history/gs/test-platform-results/pr-logs/directory/pull-ci-e2e`,
      artifacts: `${GCSWEB}/${PULL.path}/artifacts/e2e/container-logs/`,
      pull: 'https://github.com/openshift/installer/pull/2301',
    },
  },
  {
    name: 'a bucket on s3',
    run: { bucket: 'dir://istio-prow', ...PERIODIC },
    links: {
      prowl: '/runs/dir/istio-prow/logs/e2e-aws/8664',
      spyglass: 'https://prow.istio.io/view/s3/istio-prow/logs/e2e-aws/8664',
      jobHistory: 'https://prow.istio.io/job-history/s3/istio-prow/logs/e2e-aws',
      artifacts: 'https://gcsweb.istio.io/s3/istio-prow/logs/e2e-aws/8664/',
    },
  },
  {
    name: 'a deck whose addresses say gcs, a path that needs escapes',
    run: { bucket: 'gs://knative-prow', path: 'logs/a b?#%/1', job: 'a b?#%', buildId: '1' },
    links: {
      prowl: '/runs/gs/knative-prow/logs/a%20b%3F%23%25/1',
      spyglass: 'https://prow.knative.dev/view/gcs/knative-prow/logs/a%20b%3F%23%25/1',
      jobHistory: 'https://prow.knative.dev/job-history/gs/knative-prow/logs/a%20b%3F%23%25',
      artifacts: 'https://gcsweb.knative.dev/gcs/knative-prow/logs/a%20b%3F%23%25/1/',
    },
  },
  {
    name: 'a bucket that no deployment has',
    run: { bucket: 'gs://elsewhere', ...PERIODIC },
    links: { prowl: '/runs/gs/elsewhere/logs/e2e-aws/8664' },
  },
  {
    name: 'dots never lead out of the bucket',
    run: { bucket: 'gs://oss-prow', path: 'logs/../../x/1', job: '..', buildId: '1' },
    links: { prowl: '/runs/gs/oss-prow/logs/../../x/1' },
  },
]

describe('links of a run', () => {
  test.each(TABLE)('$name', ({ run, anchor, links }) => {
    expect(linksOf(deployments, run, anchor)).toEqual(links)
  })

  test('a batch has no one pull request, and Gerrit is not GitHub', () => {
    const pulls = [{ number: 1 }, { number: 2 }]
    const batch = { bucket: 'gs://x', ...PERIODIC, refs: { org: 'o', repo: 'r', pulls } }
    expect(linksOf(deployments, batch)).not.toHaveProperty('pull')
    expect(pullLink('https://go.googlesource.com', 'tools', 7)).toBeUndefined()
    expect(pullLink('kubernetes', 'test-infra', 7)).toBe('https://github.com/kubernetes/test-infra/pull/7')
  })
})

test('the history of a pull request is the deck’s of its bucket', () => {
  const pull = { org: 'o', repo: 'r', number: 7 }
  expect(pullHistoryLink('dir://origin-ci-test', pull)).toBe(`${DECK}/pr-history/?org=o&repo=r&pr=7`)
  expect(pullHistoryLink('gs://elsewhere', pull)).toBeUndefined()
  expect(bucketNames('origin-ci-test')).toEqual(['test-platform-results', 'origin-ci-test'])
  expect(bucketNames('elsewhere')).toEqual(['elsewhere'])
})

describe('deployments', () => {
  test('a file replaces entries of the same name and adds others before the rest', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'deployments-')), 'own.yaml')
    writeFileSync(
      file,
      'deployments:\n  - { name: Kubernetes, deck: prow.example.org, buckets: [mine], lens: 0 }\n  - { name: Ours, buckets: [oss-prow] }\n',
    )
    const all = loadDeployments(file)
    const anchor = { log: 'build-log.txt', line: 3 }
    expect(all.filter(({ name }) => name === 'Kubernetes')).toHaveLength(1)
    expect(linksOf(all, { bucket: 'gs://mine', ...PERIODIC }, anchor).spyglass).toBe(
      'https://prow.example.org/view/gs/mine/logs/e2e-aws/8664#0:build-log.txt%3A3',
    )
    expect(linksOf(all, { bucket: 'gs://oss-prow', ...PERIODIC })).not.toHaveProperty('spyglass')
  })

  test.each([
    [
      'deployments:\n  - { name: x, deck: "https://prow.k8s.io", buckets: [b] }',
      /deployments\.0\.deck: must be a host name/,
    ],
    ['deployments:\n  - { name: x, buckets: [] }', /deployments\.0\.buckets/],
    ['deployments:\n  - { name: x, buckets: [b], decks: y }', /decks/],
    ['', /expected object/],
  ])('a fault is named: %s', (text, message) => {
    expect(() => parseDeployments(text)).toThrow(message)
  })

  test('a file that cannot be read names the variable', () => {
    expect(() => loadDeployments('/nonexistent/own.yaml')).toThrow(
      /^PROWL_DEPLOYMENTS: \/nonexistent\/own\.yaml: ENOENT/,
    )
  })
})
