import { spawnSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compile } from './compile.ts'
import { asciiLine, pattern } from './testing/patterns.ts'

const SEED = 20190910
const PATTERNS = 450
const LINES = 150

/** What both read alike: not what stands for the whole text there, and nothing that a line cannot hold. */
const isAlike = (source: string) => !/\\[AzQE]|\(\?\w*U|[^\x20-\x7e]|\\p|\\P|\\x\{|\\v|\(\?m|\(\?im/.test(source)

/** 1-based; undefined where ripgrep refuses the pattern. */
function matchingLines(source: string, text: string): number[] | undefined {
  const { status, stdout } = spawnSync(rgPath, ['--no-config', '-n', '-a', '--no-filename', '-e', source, '-'], {
    input: `${text}\n`,
    encoding: 'latin1',
  })
  if (status === 2) return undefined
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => Number(line.split(':', 1)[0]))
}

it('ripgrep finds the same lines, in 50,000 pairs of pattern and line at least', () => {
  const line = asciiLine.map((text) => text.replace(/[\r\v]/g, ' '))
  const [text] = fc.sample(
    fc.array(line, { minLength: LINES, maxLength: LINES }).map((lines) => lines.join('\n')),
    { seed: SEED, numRuns: 1 },
  )
  const sources = fc.sample(pattern, { seed: SEED, numRuns: PATTERNS * 8 }).filter(isAlike)
  let [pairs, matched, refused] = [0, 0, 0]
  for (const source of sources) {
    const wanted = matchingLines(source, text ?? '')
    if (wanted === undefined) {
      refused++
      continue
    }
    const found = compile(source)
      .matchingLines(text ?? '', true)
      .map((index) => index + 1)
    expect(found, source).toEqual(wanted)
    pairs += LINES
    matched += wanted.length
    if (pairs >= PATTERNS * LINES) break
  }
  expect(pairs).toBeGreaterThan(50_000)
  expect(refused).toBeLessThan(PATTERNS / 10)
  expect(Math.min(matched, pairs - matched)).toBeGreaterThan(5000)
}, 60_000)
