import { expect, test } from 'vitest'
import { type BoxText, parseBox } from './box.ts'

const pull = { org: 'openshift', repo: 'installer', number: 2708 }
const RUN = { bucket: 'origin-ci-test', path: 'logs/e2e-aws/8664' }
const PATTERN: BoxText = { kind: 'pattern' }
const DECK = 'https://prow.ci.openshift.org'

// Each form of a run's address is in lib/deployment/run-address.test.ts.
test.each<[string, BoxText]>([
  [`${DECK}/view/gs/origin-ci-test/logs/e2e-aws/8664`, { kind: 'run', address: RUN }],
  [
    `${DECK}/view/gcs/origin-ci-test/logs/e2e-aws/8664/build-log.txt`,
    { kind: 'run', address: { ...RUN, file: 'build-log.txt' } },
  ],
  ['gs://origin-ci-test/logs/e2e-aws/8664/artifacts/', { kind: 'run', address: RUN }],
  [`${DECK}/view/prowjob/e2e-aws/8664`, { kind: 'build', job: 'e2e-aws', buildId: '8664' }],
  [`${DECK}/log?container=test&id=8664&job=e2e-aws`, { kind: 'build', job: 'e2e-aws', buildId: '8664' }],
  [`${DECK}/job-history/gs/origin-ci-test/logs/e2e-aws?buildId=9`, { kind: 'job', job: 'e2e-aws' }],
  [`${DECK}/job-history/origin-ci-test/logs/e2e-aws`, { kind: 'job', job: 'e2e-aws' }],
  [`${DECK}/job-history/gs/origin-ci-test/pr-logs/directory/pull-e2e`, { kind: 'job', job: 'pull-e2e' }],
  ['https://gcsweb.k8s.io/gcs/origin-ci-test/logs/e2e-aws/', { kind: 'job', job: 'e2e-aws' }],
  ['http://localhost:3000/jobs/e2e%20aws', { kind: 'job', job: 'e2e aws' }],
  ['8664', { kind: 'id', buildId: '8664', bug: 'bz8664' }],
  [' 1750890 ', { kind: 'id', buildId: '1750890', bug: 'bz1750890' }],
  ['1146154541064884225', { kind: 'id', buildId: '1146154541064884225' }],
  ['openshift/installer#2708', { kind: 'number', pull, bug: 'openshift/installer#2708' }],
  ['openshift/installer/pull/2708', { kind: 'pull', pull }],
  ['https://github.com/openshift/installer/pull/2708', { kind: 'pull', pull }],
  ['https://github.com/openshift/installer/pull/2708/files#diff', { kind: 'pull', pull }],
  [`${DECK}/pr-history/?org=openshift&repo=installer&pr=2708`, { kind: 'pull', pull }],
  ['prow.ci.openshift.org/pr-history?org=openshift&repo=installer&pr=2708', { kind: 'pull', pull }],
  ['https://gcsweb.k8s.io/gcs/b/pr-logs/pull/openshift_installer/2708/', { kind: 'pull', pull }],
  ['gs://b/pr-logs/pull/openshift_installer/2708/pull-e2e/', { kind: 'pull', pull }],
  ['http://localhost:3000/pr/openshift/installer/2708', { kind: 'pull', pull }],
  ['https://github.com/o/r/issues/7', { kind: 'bug', bug: 'o/r#7', sure: true }],
  ['bz1750890', { kind: 'bug', bug: 'bz1750890', sure: true }],
  ['rhbz#1750890', { kind: 'bug', bug: 'bz1750890', sure: true }],
  ['Bug 1750890', { kind: 'bug', bug: 'bz1750890', sure: false }],
  ['https://bugzilla.redhat.com/show_bug.cgi?id=1750890#c4', { kind: 'bug', bug: 'bz1750890', sure: true }],
  ['OCPBUGS-123', { kind: 'bug', bug: 'OCPBUGS-123', sure: true }],
  ['https://issues.redhat.com/browse/OCPBUGS-123', { kind: 'bug', bug: 'OCPBUGS-123', sure: true }],
  ['no-1', { kind: 'bug', bug: 'NO-1', sure: false }],
  ['UTF-8', { kind: 'bug', bug: 'UTF-8', sure: false }],
  ['boskos.ci.*EOF', PATTERN],
  ['org/repo#0', { kind: 'bug', bug: 'org/repo#0', sure: false }],
  ['a/b/c#1', PATTERN],
  ['https://example.org/', PATTERN],
  ['https://gcsweb.k8s.io/gcs/b/pr-logs/pull/2708/', PATTERN],
  ['http://localhost:3000/jobs/%E0%A4%A', { kind: 'job', job: '%E0%A4%A' }],
  ['prow.k8s.io/', PATTERN],
  ['', PATTERN],
  ['(https://x', PATTERN],
  ['123456789012345678901', PATTERN],
])('%s', (text, named) => {
  expect(parseBox(text)).toEqual(named)
})
