import { describe, expect, it } from 'vitest'
import { DEFAULT_LOG_GLOBS, logGlobs, logKind } from './log-globs.ts'

describe('the default globs', () => {
  const globs = logGlobs(DEFAULT_LOG_GLOBS)

  it.each([
    ['build-log.txt', true],
    ['test-build-log.txt', true],
    ['clone-log.txt', true],
    ['started.json', false],
    ['sidecar-logs.json', false],
    ['artifacts/build-log.txt', false],
    ['artifacts/ci-operator.log', true],
    ['artifacts/e2e-aws/container-logs/lease.log', true],
    ['artifacts/e2e-aws/container-logs/test.log', false],
    ['artifacts/e2e-aws/ipi-install/build-log.txt', true],
    ['artifacts/e2e-aws/ipi-install/finished.json', false],
    ['artifacts/e2e-aws/gather/artifacts/build-log.txt', false],
    ['artifacts/junit_operator.xml', true],
    ['artifacts/e2e-aws/openshift-e2e-test/artifacts/junit/junit_e2e.xml', true],
    ['artifacts/e2e-aws/junit.txt', false],
    ['artifactsXci-operator.log', false],
  ])('%s: %j', (name, matches) => {
    expect(globs.matches(name)).toBe(matches)
  })

  it.each([
    ['artifacts', true],
    ['artifacts/e2e-aws/deep/below', true],
    ['other', false],
  ])('are looked for in %s: %j', (directory, held) => {
    expect(globs.mayHold(directory)).toBe(held)
  })
})

describe('globs', () => {
  it.each([
    ['a/*/c', 'a', true],
    ['a/*/c', 'a/b', true],
    ['a/*/c', 'a/b/c', false],
    ['a/*/c', 'b', false],
    ['a/**/c', 'a/x/y/z', true],
    ['*.log', 'a', false],
  ])('%s may lie below %s: %j', (glob, directory, held) => {
    expect(logGlobs([glob]).mayHold(directory)).toBe(held)
  })

  it('take everything but * literally', () => {
    const globs = logGlobs(['a.b/(c)+[d]?*'])
    expect(globs.matches('a.b/(c)+[d]?\nx')).toBe(true)
    expect(globs.matches('aXb/(c)+[d]?')).toBe(false)
    expect(globs.matches('a.b/cc+d')).toBe(false)
  })
})

it.each([
  ['build-log.txt', 'build-log'],
  ['test-build-log.txt', 'build-log'],
  ['clone-log.txt', 'clone-log'],
  ['artifacts/ci-operator.log', 'ci-operator'],
  ['artifacts/e2e/container-logs/lease.log', 'container-log'],
  ['artifacts/e2e/step/build-log.txt', 'step-log'],
  ['artifacts/junit_01.xml', 'junit'],
  ['artifacts/other.log', 'step-log'],
])('%s is a %s', (name, kind) => {
  expect(logKind(name)).toBe(kind)
})
