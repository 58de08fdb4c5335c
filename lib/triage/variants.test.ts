import { describe, expect, test } from 'vitest'
import { loadVariants, parseVariants, variantOf } from './variants.ts'

describe('what a job’s name says', () => {
  const variants = loadVariants()
  const of = (job: string) =>
    Object.fromEntries(
      [...variants.keys()].flatMap((name) => {
        const value = variantOf(variants, name, job)
        return value === undefined ? [] : [[name, value]]
      }),
    )

  test.each([
    ['release-openshift-origin-installer-e2e-aws-upgrade', { platform: 'aws', upgrade: 'upgrade', test: 'e2e' }],
    [
      'periodic-ci-openshift-release-master-nightly-4.18-e2e-gcp-ovn-arm64',
      { platform: 'gcp', architecture: 'arm64', network: 'ovn', upgrade: 'install', test: 'e2e' },
    ],
    [
      'pull-ci-openshift-origin-master-e2e-aws-fips',
      { platform: 'aws', security: 'fips', upgrade: 'install', test: 'e2e' },
    ],
    ['ci-kubernetes-e2e-gci-gce', { platform: 'gcp', upgrade: 'install', test: 'e2e' }],
    ['pull-ci-openshift-installer-master-unit', { test: 'unit' }],
    ['pull-kubernetes-verify', { test: 'verify' }],
    ['drawsaws', {}],
  ])('%s', (job, values) => {
    expect(of(job)).toEqual(values)
  })
})

describe('a variants file', () => {
  test.each([
    ['variants: { platform: [{ value: aws, job: "a(" }] }', /^variants\.platform\.0\.job: .*\(/],
    ['variants: { platform: [] }', /^variants\.platform: /],
    ['variants: { Platform: [{ value: aws, job: a }] }', /^variants\.Platform: /],
    ['variants: { platform: [{ value: aws, jobs: a }] }', /^variants\.platform\.0/],
    ['platforms: {}', /variants/],
    ['- a', /expected object/],
  ])('that is wrong says where: %s', (text, message) => {
    expect(() => parseVariants(text)).toThrow(message)
  })

  test('that is missing is named', () => {
    expect(() => loadVariants('/no/such/variants.yaml')).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining('PROWL_VARIANTS: /no/such') }),
    )
  })
})
