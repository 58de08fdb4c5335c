import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRunPath, parseRunPath } from './run-path.ts'

test('a run of a pull request', () => {
  const run = { bucket: 'gs://test-platform-results', path: 'pr-logs/pull/openshift_installer/2708/pull-ci-e2e/8664' }
  expect(formatRunPath(run)).toBe('gs/test-platform-results/pr-logs/pull/openshift_installer/2708/pull-ci-e2e/8664')
})

test.each(['', 'gs', 'gs/bucket', 'gs/bucket/', '/gs//', 'gs/bucket/%ff', 'gs/bucket/%'])('%j names no run', (text) => {
  expect(parseRunPath(text)).toBeUndefined()
})

test('what is printed reads the same, also with slashes at its ends', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('/'))
  fc.assert(
    fc.property(fc.constantFrom('gs', 's3', 'dir'), name, fc.array(name, { minLength: 1 }), (scheme, bucket, path) => {
      fc.pre(!bucket.includes('://'))
      const key = { bucket: `${scheme}://${bucket}`, path: path.join('/') }
      expect(parseRunPath(`/${formatRunPath(key)}/`)).toEqual(key)
    }),
  )
})
