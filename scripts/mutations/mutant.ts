import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Mutation } from './table.ts'

/** What became of a mutation. Only `red` is what is wanted. */
export type Outcome =
  | { readonly what: 'red'; readonly tests: readonly string[] }
  | { readonly what: 'green' }
  /** The text is not there once, or no test ran to its end. */
  | { readonly what: 'broken'; readonly why: string }

/** The file's text with the mutation; throws where it is not what the mutation was written for. */
export function mutated(content: string, { text, replacement, file }: Mutation): string {
  const times = content.split(text).length - 1
  if (times !== 1) throw new Error(`${file} holds ${JSON.stringify(text)} ${times} times`)
  return content.replace(text, () => replacement)
}

/** A copy of these files (paths within `root`) with the packages of `root`, so that nobody's working tree is ever changed. */
export function copyOf(root: string, files: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'prowl-mutations-'))
  for (const file of files) {
    // Deleted, and not committed yet.
    if (!existsSync(join(root, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(resolve(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Changes the copy, runs the test, and changes it back. */
export async function tried(copy: string, mutation: Mutation): Promise<Outcome> {
  const file = join(copy, mutation.file)
  const content = readFileSync(file, 'utf8')
  try {
    writeFileSync(file, mutated(content, mutation))
  } catch (error) {
    return { what: 'broken', why: error instanceof Error ? error.message : String(error) }
  }
  try {
    return await outcomeOf(copy, [mutation.test])
  } finally {
    writeFileSync(file, content)
  }
}

const Report = z.object({
  numTotalTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
})

/** Runs test files there. A file that could not even be loaded proves nothing. */
export async function outcomeOf(copy: string, tests: readonly string[]): Promise<Outcome> {
  const json = join(copy, 'mutation.json')
  rmSync(json, { force: true })
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${json}`, ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  await once(child, 'close')
  if (!existsSync(json)) return { what: 'broken', why: `no report: ${said.slice(-500)}` }
  const { success, numTotalTests, testResults } = Report.parse(JSON.parse(readFileSync(json, 'utf8')))
  const red = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName)
  if (red.length > 0) return { what: 'red', tests: red }
  if (!success || numTotalTests === 0 || testResults.length < tests.length)
    return { what: 'broken', why: testResults.map(({ message }) => message).join(' ') || 'no test ran' }
  return { what: 'green' }
}
