import { expect, test } from 'vitest'
import { parseRunPath } from './run-path.ts'

test.each(['e2e', 'a%2Fb', '..', '<b>', '-rf', 'a b', '\u05e9\u05dc\u05d5\u05dd', '\u{1f4a5}'])(
  '%j may be a job',
  (job) => {
    for (const path of [`logs/${job}/1`, `pr-logs/pull/o_r/7/${job}/1`, `pr-logs/pull/batch/${job}/1`])
      expect(parseRunPath(path)).toMatchObject({ path, job, buildId: '1' })
  },
)

/** Prow's own are of letters, digits, `-`, `.` and `_` (pkg/config/jobs.go in kubernetes-sigs/prow). */
test.each(['a\nb', '\u001b[2J', '\u009b2J', '\u007f', '\t', '\u202ea', '\u2066a'])('%j may not', (name) => {
  for (const path of [`logs/${name}/1`, `pr-logs/pull/${name}_r/7/a/1`, `pr-logs/pull/o_r/7/${name}/1`])
    expect(parseRunPath(path)).toBeUndefined()
})
