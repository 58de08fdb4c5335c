import { expect, test } from 'vitest'
import { newGroups, type SeenGroup } from './new-groups.ts'

const DAY = 86_400_000
const NOW = 1000 * DAY
const group = (given: Partial<SeenGroup> = {}): SeenGroup => ({
  id: 'g1',
  isNew: true,
  runs: 3,
  jobs: [{ job: 'e2e-aws' }],
  text: 'disk full',
  ...given,
})

test.each<[string, Record<string, number> | undefined, readonly SeenGroup[], readonly string[]]>([
  ['the first look is silent', undefined, [group()], []],
  ['a new one', {}, [group()], ['group/g1']],
  ['one told before', { g1: NOW - DAY }, [group()], []],
  ['one told so long ago that its history is forgotten', { g1: NOW - 121 * DAY }, [group()], []],
  ['one known for long', {}, [group({ isNew: false })], []],
  ['two runs are no group yet', {}, [group({ runs: 2 })], []],
  ['several', { g2: NOW }, [group(), group({ id: 'g2' }), group({ id: 'g3' })], ['group/g1', 'group/g3']],
])('%s', (_, known, groups, ids) => {
  expect(newGroups(known, groups, NOW).notices.map(({ id }) => id)).toEqual(ids)
})

test('what the first look saw is told of by no later one; what is long past is forgotten', () => {
  const first = newGroups(undefined, [group()], NOW)
  expect(first.groups).toEqual({ g1: NOW })
  expect(newGroups(first.groups, [group()], NOW + DAY)).toEqual({ groups: { g1: NOW }, notices: [] })
  expect(newGroups(first.groups, [], NOW + 121 * DAY).groups).toEqual({})
})

test('a notice names the line, cut, and where it struck', () => {
  const { notices } = newGroups({}, [group({ text: ` ${'x'.repeat(500)}`, jobs: [{ job: 'a' }, { job: 'b' }] })], NOW)
  expect(notices[0]).toMatchObject({
    kind: 'group',
    group: 'g1',
    title: `New failure that no signature knows: ${'x'.repeat(160)}…`,
    sentence: '3 runs of 2 jobs failed with it, the first within the last 7 days.',
    link: '/groups/g1',
  })
})
