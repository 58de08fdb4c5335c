import type { Planned } from '../plan.ts'
import { type Random, random } from '../random.ts'
import { goLog } from '../times.ts'
import { lookupTimeout } from './images.ts'
import { nearMissLines } from './near-misses.ts'

const PACKAGES = [
  'asset/machines',
  'asset/ignition/bootstrap',
  'types/validation',
  'destroy/aws',
  'terraform',
  'validate',
]
const TESTS = [
  'Defaults',
  'Validate',
  'RoundTrip',
  'Render',
  'EmptyInput',
  'ConflictingPools',
  'Sorted',
  'LoadFromDisk',
]

/** `go test -v` of a repository, with what fails at its end. */
export function unitOutput(run: Planned, at: number): string[] {
  const rng = random(run.seed, run.path, 'unit')
  const lines = ['+ go test -v -race ./pkg/...']
  for (const pkg of PACKAGES) {
    for (let i = rng.int(14, 40); i > 0; i--) {
      const name = `Test${rng.pick(TESTS)}${rng.pick(TESTS)}/case_${rng.int(1, 99)}`
      lines.push(`=== RUN   ${name}`)
      if (rng.chance(0.15))
        lines.push(`    machines_test.go:${rng.int(20, 400)}: comparing with testdata/${rng.name(8)}.yaml`)
      lines.push(`--- PASS: ${name} (0.${rng.int(0, 9)}${rng.int(0, 9)}s)`)
    }
    lines.push(`ok  \tgithub.com/openshift/installer/pkg/${pkg}\t${rng.int(0, 40)}.${rng.int(100, 999)}s`)
  }
  return [...lines, ...nearMissLines(run, at, rng), ...failure(run, at, rng)]
}

function failure(run: Planned, at: number, rng: Random): string[] {
  const id = run.unexplained ?? run.plants[0]?.id
  const pkg = `github.com/openshift/installer/pkg/${rng.pick(PACKAGES)}`
  const failed = [
    `FAIL\t${pkg}\t${rng.int(1, 9)}.${rng.int(100, 999)}s`,
    'FAIL',
    'make: *** [Makefile:42: unit] Error 1',
  ]
  switch (id) {
    case 'unknown.panic':
      return [
        'panic: runtime error: invalid memory address or nil pointer dereference [recovered]',
        '[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x1c3f2aa]',
        '',
        `goroutine ${rng.int(40, 900)} [running]:`,
        `${pkg}.(*Machines).Generate(0xc000${rng.hex(6)}, 0x0)`,
        `\t/go/src/${pkg}/machines.go:${rng.int(100, 300)} +0x${rng.hex(3)}`,
        ...failed,
      ]
    case 'unknown.go_test':
      return [
        `--- FAIL: Test${rng.pick(TESTS)}Golden (0.0${rng.int(1, 9)}s)`,
        `    golden_test.go:${rng.int(20, 90)}: rendered manifests differ from testdata: run make update and commit the result`,
        ...failed,
      ]
    case 'dns.timeout':
      return [`${goLog(at)} Get "https://mods.example.org/": ${lookupTimeout('mods.example.org', rng)}`, ...failed]
    default:
      return []
  }
}
