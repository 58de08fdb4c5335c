import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeSampleChanges } from '#lib/testing/sample/changes.ts'
import { generateSample } from '#lib/testing/sample/generate.ts'
import { NO_PYTHON, python } from './python.ts'
import { Processes } from './start/processes.ts'
import { readAndServe } from './testing/app.ts'

const REQUIREMENTS = 'e2e/fuzz/requirements.txt'
const VENV = 'node_modules/.cache/schemathesis'
/** The whole run. */
const SECONDS = 60
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
]
/** Of the sample bucket, as small a slice as tells every story. */
const SLICE = { seed: 7, scale: 0.01 }

/** Schemathesis against the built app on sample data: no 5xx, and no answer that openapi.json doesn't tell of. */
async function main(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'prowl-fuzz-'))
  const processes = new Processes()
  try {
    const schemathesis = install()
    const [bucket, data] = [join(home, 'origin-ci-test'), join(home, 'data')]
    const story = await generateSample({ dir: bucket, end: Date.now(), ...SLICE })
    mkdirSync(join(data, 'signatures'), { recursive: true })
    writeSampleChanges(story, join(data, 'signatures', 'sample-changes.yaml'))
    const env = { ...process.env, PROWL_DATA: data, NO_PROXY: '*' }
    const url = await readAndServe(processes, { args: ['--bucket', bucket, '--since', 'all'], env })
    const options = ['--checks', CHECKS.join(), '--seed', '7', '--max-time', String(SECONDS), '--max-examples', '60']
    const fixed = ['--phases', 'examples,coverage,fuzzing', '--generation-database', 'none', '--warnings', 'off']
    const args = ['run', `${url}/api/v1/openapi.json`, ...options, ...fixed, '--no-color', '--workers', '1']
    // It leaves notes where it runs.
    return spawnSync(resolve(schemathesis), args, { stdio: 'inherit', env, cwd: home }).status ?? 1
  } finally {
    await processes.stop(10_000)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Where it is kept between runs; anew where another version is asked for. */
function install(): string {
  const found = python()
  if (!found) throw new Error(NO_PYTHON)
  const wanted = readFileSync(REQUIREMENTS, 'utf8')
  const note = join(VENV, 'installed.txt')
  if (!existsSync(note) || readFileSync(note, 'utf8') !== wanted) {
    rmSync(VENV, { recursive: true, force: true })
    run(found, ['-m', 'venv', VENV])
    run(join(VENV, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--no-deps', '-r', REQUIREMENTS])
    writeFileSync(note, wanted)
  }
  return join(VENV, 'bin/schemathesis')
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}

process.exitCode = await main()
