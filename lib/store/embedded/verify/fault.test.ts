import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAULTS } from './fault.ts'

test('every fault that npm run verify tells of is explained once, and no other', () => {
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split(/^## Verify$/m)
  const [table = ''] = section.split(/^## /m)
  const told = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)
  expect(told.sort()).toEqual(Object.keys(FAULTS).sort())
})
