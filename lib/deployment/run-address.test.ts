import { expect, test } from 'vitest'
import { parseBuildAddress, parseRunAddress } from './run-address.ts'

const run = { bucket: 'b', path: 'logs/e2e/12' }
const pull = { bucket: 'b', path: 'pr-logs/pull/org_repo/7/pull-e2e/12' }
const LOG = { ...run, file: 'build-log.txt' }
const DEEP = { ...run, file: 'artifacts/e2e-aws/container-logs/lease.log' }
const anchor = { log: 'build-log.txt', line: 4097 }

test.each([
  ['https://prow.k8s.io/view/gs/b/logs/e2e/12', run],
  ['https://prow.k8s.io//view/gcs/b/logs/e2e/12/', run],
  ['https://prow.istio.io/view/b/logs/e2e/12?x=1', run],
  ['https://prow.istio.io/view/s3/b/logs/e2e/12', run],
  ['prow.k8s.io/view/gs/b/logs/e2e/12', run],
  ['  <https://prow.k8s.io/view/gs/b/logs/e2e/12>, ', run],
  ['(https://prow.k8s.io/view/gs/b/logs/e2e/12).', run],
  ['https://gcsweb.k8s.io/gcs/b/logs/e2e/12/artifacts/junit_1/2/', run],
  ['https://gcsweb.k8s.io/gcs/b/logs/e2e/12/artifacts/e2e-aws/container-logs/lease.log', DEEP],
  ['gs://b/logs/e2e/12/build-log.txt', LOG],
  ['gs://b/logs/e2e/12/', run],
  ['s3://b/logs/e2e/12', run],
  ['dir://b/logs/e2e/12', run],
  ['https://prow.k8s.io/view/gs/b/pr-logs/pull/org_repo/7/pull-e2e/12', pull],
  ['https://prow.k8s.io/view/gs/b/pr-logs/pull/7/pull-e2e/12', { bucket: 'b', path: 'pr-logs/pull/7/pull-e2e/12' }],
  [
    'https://prow.k8s.io/view/gs/b/pr-logs/pull/batch/pull-e2e/12',
    { bucket: 'b', path: 'pr-logs/pull/batch/pull-e2e/12' },
  ],
  [
    'https://prow.k8s.io/view/gs/b/pr-logs/pull/org_repo/batch/pull-e2e/12',
    { bucket: 'b', path: 'pr-logs/pull/org_repo/batch/pull-e2e/12' },
  ],
  [
    'https://prow.k8s.io/view/gs/b/pr-logs/directory/pull-e2e/12',
    { bucket: 'b', path: 'pr-logs/directory/pull-e2e/12' },
  ],
  ['gs://b/pr-logs/directory/pull-e2e/12.txt', { bucket: 'b', path: 'pr-logs/directory/pull-e2e/12' }],
  ['https://d/view/gs/b/logs/e2e/12#1:build-log.txt%3A4097', { ...run, anchor }],
  ['https://d/view/gs/b/logs/e2e/12#1:build-log.txt%3A12-20', { ...run, anchor: { log: 'build-log.txt', line: 12 } }],
  ['https://d/view/gs/b/logs/e2e/12#1:build-log.txt%3A4097;1:build-log.txt%3A9', { ...run, anchor }],
  ['https://k8s-gubernator.appspot.com/build/b/logs/e2e/12/', run],
  ['https://openshift-gce-devel.appspot.com/build/b/pr-logs/pull/org_repo/7/pull-e2e/12/', pull],
  ['https://storage.googleapis.com/b/logs/e2e/12/build-log.txt', LOG],
  ['https://storage.googleapis.com/storage/v1/b/b/o/logs%2Fe2e%2F12%2Fbuild-log.txt?alt=media', LOG],
  ['https://storage.googleapis.com/download/storage/v1/b/b/o/logs%2Fe2e%2F12%2Fbuild-log.txt', LOG],
  ['https://storage.cloud.google.com/b/logs/e2e/12/build-log.txt?authuser=1', LOG],
  ['https://b.storage.googleapis.com/logs/e2e/12/build-log.txt', LOG],
  ['https://console.cloud.google.com/storage/browser/b/logs/e2e/12', run],
  ['https://console.cloud.google.com/storage/browser/b/logs/e2e/12;tab=objects?prefix=&forceOnObjectsSorting=x', run],
  ['https://console.cloud.google.com/storage/browser/_details/b/logs/e2e/12/build-log.txt;tab=live_object', LOG],
  ['https://console.developers.google.com/storage/browser/b/logs/e2e/12/', run],
  ['https://gcsweb.istio.io/s3/b/logs/e2e/12/', run],
  ['https://d/view/gs/b/logs/org_repo/e2e/12', { bucket: 'b', path: 'logs/org_repo/e2e/12' }],
  ['https://prowl.example.org/runs/gs/b/logs/e2e/12?log=build-log.txt&line=4097#L4097', { ...run, anchor }],
  ['http://localhost:3000/runs/dir/b/logs/e2e/12', run],
  ['https://prowl.example.org/api/v1/raw/gs/b/logs/e2e/12?log=build-log.txt', LOG],
  ['https://prowl.example.org/runs/gs/b/logs/e2e', undefined],
  ['https://d/view/gs/b/logs/e2e', undefined],
  ['boskos.ci.*EOF', undefined],
  ['1750890', undefined],
  ['https://example.org/logs/e2e/12', undefined],
  ['https://d/view/gs/b/logs/%E0%A4%A/12', { bucket: 'b', path: 'logs/%E0%A4%A/12' }],
])('%s', (text, address) => {
  expect(parseRunAddress(text)).toEqual(address)
})

test.each([
  ['https://prow.k8s.io/view/prowjob/e2e/12', { job: 'e2e', buildId: '12' }],
  ['https://prow.k8s.io//view/prowjob/e2e%20x/12/', { job: 'e2e x', buildId: '12' }],
  ['https://prow.k8s.io/log?job=e2e&id=12', { job: 'e2e', buildId: '12' }],
  ['prow.k8s.io/log?job=e2e&id=12', { job: 'e2e', buildId: '12' }],
  ['https://prow.k8s.io/log?job=e2e&id=x', undefined],
  ['https://prow.k8s.io/view/prowjob/e2e', undefined],
  ['https://prow.k8s.io/view/gs/b/logs/e2e/12', undefined],
  ['boskos', undefined],
  ['javascript:/view/prowjob/e2e/12', undefined],
])('a build at %s', (text, build) => {
  expect(parseBuildAddress(text)).toEqual(build)
})
