import { describe, expect, test } from 'vitest'
import type { LogKind } from '../model/run.ts'
import { BlockCutter } from '../text/blocks.ts'
import { createFailureFinder } from './failure-finder.ts'

interface GivenLog {
  readonly name?: string
  readonly kind?: LogKind
  readonly text: string
}

function find(...logs: readonly GivenLog[]) {
  const finder = createFailureFinder()
  for (const { name = 'build-log.txt', kind = 'build-log', text } of logs) {
    const reader = finder.startLog({ name, kind })
    const cutter = new BlockCutter()
    for (const block of [...cutter.push(Buffer.from(text)), ...cutter.end()]) reader?.block(block)
    reader?.end()
  }
  return finder.finish()
}

const MAKE = 'make: *** [Makefile:42: unit] Error 1'

describe('the line that a run failed with', () => {
  test.each<[string, string, number, string]>([
    [
      'a panic, and whose frame it is',
      `ok\npanic: runtime error: index out of range\n\ngoroutine 8 [running]:\nruntime.gopanic(0x1)\ngithub.com/a/b/c.(*T).Do(0x1, 0x0)\n\t/go/c.go:7\nFAIL\n${MAKE}`,
      2,
      'panic: runtime error: index out of range\ngithub.com/a/b/c.(*T).Do(0x1, 0x0)',
    ],
    [
      'what a Go test says, not its name',
      `--- PASS: TestA\n--- FAIL: TestB (0.02s)\n    b_test.go:31: want 1, got 2\nFAIL\n${MAKE}`,
      3,
      'b_test.go:31: want 1, got 2',
    ],
    ['its name where it says nothing', `--- FAIL: TestB (0.02s)\nFAIL\n${MAKE}`, 1, '--- FAIL: TestB (0.02s)'],
    [
      'a failed e2e test before what follows from it',
      'x\nAug 18 19:43:10.200: FAIL: never became ready\nerror: failed because an invariant was violated\nContainer test in pod e2e failed, exit code 1',
      2,
      'Aug 18 19:43:10.200: FAIL: never became ready',
    ],
    [
      'a compiler before the build that it broke',
      `pkg/x/y.go:118:21: undefined: v1.Thing\n${MAKE}\nerror: build error: exit status 2`,
      1,
      'pkg/x/y.go:118:21: undefined: v1.Thing',
    ],
    [
      'a conflict',
      'Auto-merging go.mod\nCONFLICT (content): Merge conflict in go.mod',
      2,
      'CONFLICT (content): Merge conflict in go.mod',
    ],
    [
      'an error of ci-operator, not that there was one',
      '\u001b[31mERRO\u001b[0m[2026-09-02T00:09:33Z] Some steps failed:\n\u001b[31mERRO\u001b[0m[2026-09-02T00:09:33Z]   * could not run steps: step x failed: no\n\u001b[31mERRO\u001b[0m[2026-09-02T00:09:34Z] registry refused',
      3,
      'ERRO[2026-09-02T00:09:34Z] registry refused',
    ],
    [
      'that a step failed, for want of better',
      'hello\n2026/08/18 19:55:06   * could not run steps: step e2e failed: no quota',
      2,
      '2026/08/18 19:55:06   * could not run steps: step e2e failed: no quota',
    ],
    ['an exit, for want of anything', `hello\n${MAKE}`, 2, MAKE],
  ])('%s', (_, text, line, said) => {
    expect(find({ text })).toMatchObject({ log: 'build-log.txt', line, text: said })
  })

  test('lines that only look like it are none', () => {
    expect(
      find({
        text: [
          '+ grep -c FAIL: lease.log',
          'passed: (3s) "[sig] should report failed to update lease"',
          'E0102 21:32:59.460879 17319 controller.go:135] failed to ensure node lease exists, error: no route to host',
          '0 fail, 12 pass',
          'pkg/x/y.go:118:21: warning: unused',
          'error: failed because an invariant was violated or a test failed',
        ]
          .slice(1)
          .join('\n'),
      }),
    ).toBeUndefined()
  })

  test('the build log is preferred to others that say as much, and JUnit is better than an exit', () => {
    const junit = { name: 'artifacts/junit/junit.xml', kind: 'junit' as const }
    const fail = 'FAIL: never became ready'
    expect(find({ ...junit, text: `# s.t\n${fail}` }, { text: `x\n${fail}` })).toMatchObject({ log: 'build-log.txt' })
    expect(find({ ...junit, text: '# s.t\nthe thing broke\n' }, { text: MAKE })).toMatchObject({
      log: junit.name,
      line: 2,
      text: 'the thing broke',
    })
    expect(find({ name: 'prow', kind: 'prow', text: 'ProwJob error: Pod scheduling timeout.\n' })).toMatchObject({
      text: 'ProwJob error: Pod scheduling timeout.',
    })
    expect(find({ name: 'lease.log', kind: 'container-log', text: fail })).toBeUndefined()
  })

  test('is found over the border of two blocks, with its detail', () => {
    const filler = `${'x'.repeat(79)}\n`.repeat(819)
    const found = find({ text: `${filler}--- FAIL: TestB\n    b_test.go:3: no\n${filler}` })
    expect(found).toMatchObject({ line: 821, text: 'b_test.go:3: no' })
  })

  test('of hostile logs is short and without control characters', () => {
    const long = `FAIL: ${'a\u0007\u001b[31mb\u0000'.repeat(30_000)}`
    const found = find({ text: `x\n${long}\n` })
    expect(found?.line).toBe(2)
    expect(found?.text.length).toBeLessThanOrEqual(500)
    expect(found?.text).not.toMatch(/\p{Cc}/u)
    expect(find({ text: `${'z'.repeat(50_000)} exit code 1` })?.text).toMatch(/^z{199} exit code 1$/)
    expect(find({ text: `${'z'.repeat(100_000)} exit code 1` })).toBeUndefined()
  })
})
