import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const FIGURES = [
  /^read into embedded +[1-9]\d* runs, \d+\.\d MB of text in \d+\.\d s: [1-9]\d* runs\/s$/,
  /^backup with text +[1-9]\d*\.\d MB in \d+\.\d s$/,
  /^of it catalogue +\d+\.\d MB, [1-9]\d*\.\d kB a run$/,
  /^of it text and index +[1-9]\d*\.\d MB, \d\.\d+ of the text$/,
  /^backup without text +\d+\.\d MB in \d+\.\d s$/,
  /^restore with text +[1-9]\d*\.\d MB in \d+\.\d s$/,
  /^migrate into embedded +\d+\.\d s: [1-9]\d* runs\/s$/,
]

test('each figure that the operations page reckons with is measured', () => {
  const args = ['scripts/run.js', 'scripts/measure.ts', '--scale', '0.01']
  const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trimEnd().split('\n')
  expect(lines).toEqual(FIGURES.map((figure) => expect.stringMatching(figure)))
})
