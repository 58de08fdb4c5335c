import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { compile } from './compile.ts'
import { parse } from './parse.ts'
import { printJavaScript } from './print.ts'
import { stagesOf } from './stages.ts'
import { texts } from './testing/patterns.ts'
import { verdictTree } from './verdict.ts'

it.each([
  ['x.*y.*z', ['x', 'y', 'z']],
  ['boskos.ci.*EOF', ['boskos[^\\x0a]ci', 'EOF']],
  ['^a.*b$', ['^a', 'b$']],
  ['x.+y.{2,}z', ['x', '[^\\x0a]y', '[^\\x0a]{2}z']],
  ['x.*a*.*y', ['x', 'y']],
  ['xa*.*b+y', ['x', 'by']],
  ['(x|y)[0-9]{3}.*?(ab|cd)+.*z', ['(?:x|y)[0-9]{3}', 'ab|cd', 'z']],
  ['(?s)x.*y', ['x', 'y']],
  // The leftmost match of the first need not be the one that ends first.
  ['(ab+c|b).*z', ['(?:ab+c|b)[^\\x0a]*z']],
  ['x.*(a|bc).*z', ['x', '(?:a|bc)[^\\x0a]*z']],
  // Not at the top, or not of any character.
  ['(?:x.*y|z).*w', ['(?:x[^\\x0a]*y|z)[^\\x0a]*w']],
  ['x[^"]*y', ['x[^\\x0a"]*y']],
  ['x.*\\By', ['x[^\\x0a]*\\By']],
])('%s is %j', (pattern, stages) => {
  const verdict = verdictTree(parse(pattern).tree, true)
  expect(stagesOf(verdict, true).map((stage) => printJavaScript(stage, true))).toEqual(stages)
})

it.each([
  ['x.*y.*z', ['xyz', 'xzy', 'yxyaz', 'x', 'y', 'z', 'zyx', 'xxyyzz'], [0, 2, 7]],
  ['x.*y', ['x', 'y', '', 'xy', 'yx', 'yxy'], [3, 5]],
  ['^x.*y$', ['xy', 'axy', 'xya', 'x', 'y', 'x y'], [0, 5]],
  ['x$.*y', ['x', 'y', 'xy'], []],
  ['x.*^y', ['x', 'y', 'xy'], []],
  ['x.*(?:^y|z)', ['x', 'yxz', 'y', 'xz'], [1, 3]],
  ['x.*\\by', ['xy', 'x y', 'x', 'y'], [1]],
  ['aba.*aba', ['ababa', 'abaaba', 'aba', 'aba'], [1]],
  ['x.+y', ['xy', 'x😀y', 'x', '-y'], [1]],
  ['\\b.*x', ['x', '', '-x', 'ax'], [0, 2, 3]],
  ['x.*$', ['x', 'y', ''], [0]],
])('%s on %j', (pattern, lines, found) => {
  const matcher = compile(pattern)
  expect(matcher.matchingLines(lines.join('\n'), false)).toEqual(found)
  expect(lines.flatMap((line, at) => (matcher.test(line) ? [at] : []))).toEqual(found)
})

it('finds the lines that re2js finds, whether lines are long or not', () => {
  const long = 'z'.repeat(1100)
  const anything = fc.constantFrom('.*', '.*?', '.+', '.{2,}', '(?s:.*)')
  const part = fc.array(
    fc.constantFrom(
      ...[
        'a',
        'kS',
        '[ab]',
        '[^a]',
        '.',
        '\\s',
        '\\b',
        '\\B',
        '^',
        '$',
        'a?',
        'k+',
        '(?:a|bk)',
        '(?:b|k)',
        '\\d{2}',
        '😀',
        '[é😀]',
      ],
    ),
    { maxLength: 3 },
  )
  const sources = fc
    .tuple(part, fc.array(fc.tuple(anything, part), { minLength: 1, maxLength: 3 }))
    .map(([first, others]) => [...first, ...others.flatMap(([run, part]) => [run, ...part])].join(''))
  let [staged, matched] = [0, 0]
  fc.assert(
    fc.property(sources, texts, (source, lines) => {
      const re = RE2JS.compile(source)
      const stages = stagesOf(verdictTree(parse(source).tree, false), false)
      // What is left in one program is too slow for a long line.
      const isSplit = stages.length > 1 && stages.every((stage) => !printJavaScript(stage, false).includes('*'))
      const more = isSplit ? [...lines, long] : lines
      const wanted = more.flatMap((text, at) => (re.matcher(text).find() ? [at] : []))
      const matcher = compile(source)
      expect(matcher.matchingLines(more.join('\n'), false)).toEqual(wanted)
      expect(matcher.matchingLines(lines.join('\n'), false)).toEqual(wanted.filter((at) => at < lines.length))
      if (isSplit) staged++
      matched += wanted.length
    }),
    { numRuns: 2000 },
  )
  expect(Math.min(staged, matched)).toBeGreaterThan(500)
})

it('a line that lacks the last stage is scanned once, however often it holds the first', () => {
  // As one program, minutes for the first, and hours for the second.
  const line = 'xyz '.repeat(300_000)
  expect(compile('xyz.*!').matchingLines(`${line}\n${line}!`, true)).toEqual([1])
  expect(compile('x.*x.*x.*y.*!').matchingLines(line, true)).toEqual([])
})
