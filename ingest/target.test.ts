import { describe, expect, it } from 'vitest'
import { loadDeployments } from '#lib/deployment/deployments.ts'
import type { Wanted } from './discover/resolve.ts'
import { type Target, type TargetFlags, targetOf } from './target.ts'

const deployments = loadDeployments()
const openshift = { index: true, aliases: ['test-platform-results', 'origin-ci-test'] }
const run: Wanted = { job: 'e2e', buildId: '1', path: 'logs/e2e/1' }

describe('what is read', () => {
  it.each<[string, TargetFlags, Target, Wanted?]>([
    [
      'a preset',
      { preset: 'openshift' },
      { bucket: 'gs://test-platform-results', deck: 'https://prow.ci.openshift.org', ...openshift },
    ],
    [
      'another, in any case',
      { preset: 'Kubernetes' },
      {
        bucket: 'gs://kubernetes-ci-logs',
        deck: 'https://prow.k8s.io',
        index: false,
        aliases: ['kubernetes-ci-logs', 'kubernetes-jenkins'],
      },
    ],
    [
      'a preset on S3, refused when it is opened',
      { preset: 'istio' },
      expect.objectContaining({ bucket: 's3://istio-prow' }),
    ],
    [
      'a known bucket alone: nobody else is asked',
      { bucket: 'gs://origin-ci-test' },
      { bucket: 'gs://origin-ci-test', ...openshift },
    ],
    ['an unknown bucket', { bucket: 'gs://mine' }, { bucket: 'gs://mine', index: false, aliases: [] }],
    ['a directory', { bucket: './mirror' }, { bucket: './mirror', index: false, aliases: [] }],
    [
      'a bucket and a Deck',
      { bucket: 'gs://mine', deck: 'http://127.0.0.1:8080/' },
      { bucket: 'gs://mine', deck: 'http://127.0.0.1:8080', index: false, aliases: [] },
    ],
    [
      'a preset read from a mirror, by another Deck',
      { bucket: './mirror', preset: 'openshift', deck: 'prow.example.org' },
      { bucket: './mirror', deck: 'https://prow.example.org', ...openshift },
    ],
    [
      'the bucket of a run’s address',
      {},
      { bucket: 'gs://mine', index: false, aliases: [] },
      { ...run, bucket: 'mine' },
    ],
    [
      'the bucket that took over from that of an address',
      {},
      { bucket: 'gs://test-platform-results', ...openshift },
      { ...run, bucket: 'origin-ci-test' },
    ],
    ['an address on S3', {}, expect.objectContaining({ bucket: 's3://istio-prow' }), { ...run, bucket: 'istio-prow' }],
  ])('%s', (_, flags, target, wanted) => {
    expect(targetOf(flags, deployments, wanted)).toEqual(target)
  })

  it.each<[string, TargetFlags, RegExp, Wanted?]>([
    ['nothing', {}, /no bucket: give --bucket/],
    ['an address without a bucket', {}, /no bucket/, run],
    ['an unknown preset', { preset: 'nope' }, /nope: no such deployment; there are kubernetes, openshift, istio/],
    ['a Deck with a path', { bucket: 'gs://b-b', deck: 'prow.k8s.io/view' }, /--deck: .*such as prow\.k8s\.io/],
    ['a Deck that is none', { bucket: 'gs://b-b', deck: 'https://' }, /--deck/],
  ])('is refused: %s', (_, flags, message, wanted) => {
    expect(() => targetOf(flags, deployments, wanted)).toThrow(message)
  })
})
