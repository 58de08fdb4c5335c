import { expect, test } from 'vitest'
import { indexText } from './index-text.ts'

test.each([
  ['plain text\nsecond', 'plain text\nsecond'],
  ['{"msg":"a \\u0026 b","error":"c"}\nplain', '{"msg":"a \\u0026 b","error":"c"}\nplain\na & b\nc'],
  ['plain\n{"level":"info"}', 'plain\n{"level":"info"}'],
  ['{not json}', '{not json}'],
])('%j', (text, indexed) => {
  expect(indexText(Buffer.from(text), true)).toBe(indexed)
})
