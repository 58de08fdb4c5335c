import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { isProwlError } from '#lib/errors.ts'
import { hasElasticsearch, NO_ELASTICSEARCH } from '#lib/testing/elasticsearch.ts'
import { findChromium } from './chromium.ts'
import { NO_PYTHON, python } from './python.ts'

const RESULTS = 'test-results'
const UNIT = `${RESULTS}/unit.json`
const E2E = `${RESULTS}/e2e.json`

interface Step {
  readonly name: string
  readonly args: readonly string[]
  /** Skipped by name where this says why. */
  readonly skipped?: () => string | undefined
}

/** The steps of `npm test`, in order: cheap ones first. Each is a script under this Node. */
const STEPS: readonly Step[] = [
  { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  { name: 'build', args: ['node_modules/next/dist/bin/next', 'build'] },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js'] },
  {
    name: 'unit, contract and property tests',
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${UNIT}`,
    ],
  },
  {
    name: 'bench (counts only)',
    args: ['bench/main.ts', '--size', '64MiB', '--runs', '1', '--sample', '--dirty'],
  },
  {
    name: 'bench of both stores (counts only)',
    args: ['bench/main.ts', '--size', '8MiB', '--runs', '1', '--sample', '--elasticsearch'],
    skipped: () => (hasElasticsearch() ? undefined : NO_ELASTICSEARCH),
  },
  {
    name: 'what the API answers to anything (schemathesis)',
    args: ['scripts/fuzz-api.ts'],
    // CI must run it.
    skipped: () => (process.env.CI === 'true' || python() ? undefined : NO_PYTHON),
  },
  { name: 'browser tests', args: ['node_modules/playwright/cli.js', 'test'] },
]

const Unit = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() })
const E2e = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), skipped: z.number(), flaky: z.number() }),
})

function main(): number {
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS, { recursive: true })
  const browser = findChromium()
  console.log(`Browser tests use ${browser.path} (from ${browser.from})`)
  const env = {
    ...process.env,
    CHROMIUM_PATH: browser.path,
    NEXT_TELEMETRY_DISABLED: '1',
    PLAYWRIGHT_JSON_OUTPUT_NAME: E2E,
  }
  for (const { name, args, skipped } of STEPS) {
    const why = skipped?.()
    console.log(`\n── ${name}${why === undefined ? '' : ` skipped: ${why}`}`)
    if (why !== undefined) continue
    const started = Date.now()
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
    console.log(
      `── ${name}: ${status === 0 ? 'passed' : `failed (status ${status})`} in ${((Date.now() - started) / 1000).toFixed(0)} s`,
    )
    if (status !== 0) {
      total()
      return 1
    }
  }
  return total() > 0 ? 1 : 0
}

/** Prints one closing line over both runners; gives the count of failures. */
function total(): number {
  const unit = existsSync(UNIT) ? Unit.parse(JSON.parse(readFileSync(UNIT, 'utf8'))) : undefined
  const e2e = existsSync(E2E) ? E2e.parse(JSON.parse(readFileSync(E2E, 'utf8'))).stats : undefined
  const passed = (unit?.numPassedTests ?? 0) + (e2e?.expected ?? 0)
  const failed = (unit?.numFailedTests ?? 0) + (e2e?.unexpected ?? 0) + (e2e?.flaky ?? 0)
  const skipped = (unit?.numPendingTests ?? 0) + (e2e?.skipped ?? 0)
  console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
  return failed
}

try {
  process.exitCode = main()
} catch (error) {
  if (!isProwlError(error)) throw error
  console.error(`prowl: ${error.code}: ${error.message}`)
  process.exitCode = 2
}
