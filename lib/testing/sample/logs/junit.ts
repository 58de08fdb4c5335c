import type { Planned } from '../plan.ts'
import { random } from '../random.ts'
import { testName } from '../words.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)

/** A JUnit file: some passing cases, one skipped, and one failure where `failure` has lines. */
export function junit(run: Planned, suite: string, failure: readonly string[]): string {
  const rng = random(run.seed, run.path, suite)
  const seconds = () => `${rng.int(0, 200)}.${rng.int(100, 999)}`
  const passing = Array.from(
    { length: failure.length > 0 ? 60 : 24 },
    () => `  <testcase name="${escaped(testName(rng))}" time="${seconds()}"></testcase>`,
  )
  const skipped = `  <testcase name="${escaped(testName(rng))}" time="0"><skipped message="no such feature gate"></skipped></testcase>`
  const text = escaped(failure.join('\n'))
  const failed =
    failure.length > 0
      ? [
          `  <testcase name="${escaped(testName(rng))}" time="${seconds()}">`,
          `    <failure message="">${text}</failure>`,
          '  </testcase>',
        ]
      : []
  const tests = passing.length + 1 + (failed.length > 0 ? 1 : 0)
  const head = `<testsuite name="${suite}" tests="${tests}" skipped="1" failures="${failed.length > 0 ? 1 : 0}" time="${seconds()}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...passing, skipped, ...failed, '</testsuite>', ''].join('\n')
}
