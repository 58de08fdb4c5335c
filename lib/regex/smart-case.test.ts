import { expect, it } from 'vitest'
import { compile } from './compile.ts'

/** ripgrep's rule; the last column is what `rg -S` does with the pattern. */
it.each([
  ['failed to send', true],
  ['Failed', false],
  ['EOF', false],
  ['boskos.ci.*EOF', false],
  ['\\S+ \\W \\pL \\p{Lu} \\D', true],
  ['\\S', false],
  ['\\pL', false],
  ['[[:upper:]]', false],
  ['a[[:upper:]]', true],
  ['[A-Z]a', false],
  ['[a-z]', true],
  ['\\x41', false],
  ['\\x61', true],
  ['\\u0041b', false],
  ['\\QAb\\E', false],
  ['é', true],
  ['É', false],
  ['Ⅳ', false],
  ['123', true],
  ['.*', false],
  ['(?P<Name>a)', true],
  ['a\\A\\z', true],
])('%s: ignores case %s', (pattern, foldsCase) => {
  expect(compile(pattern, { smartCase: true }).foldsCase).toBe(foldsCase)
  expect(compile(pattern).foldsCase).toBe(false)
})

it('leaves what the pattern says of case to the pattern', () => {
  const matcher = compile('a(?-i:b)', { smartCase: true })
  expect(['ab', 'Ab', 'aB'].map(matcher.test)).toEqual([true, true, false])
})
