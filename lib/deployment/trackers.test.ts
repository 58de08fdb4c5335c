import { expect, test } from 'vitest'
import { sampleEvidence } from '../testing/evidence.ts'
import { loadTrackers } from './deployments.ts'
import { bugAddress, createLink, Tracker } from './trackers.ts'

const LINK = 'https://prowl.example.org/e/0123456789'
const run = { bucket: 'gs://ci', path: 'logs/j/1' }
const evidenceOf = (text: string) =>
  sampleEvidence({ content: { lines: [{ ...run, log: 'l', line: 1, text, before: [], after: [] }] } })

test.each(loadTrackers().map((tracker) => [tracker.kind, tracker] as const))('%s is given its text', (_, tracker) => {
  const { searchParams } = new URL(createLink(tracker, evidenceOf('Post "x": EOF & more #1'), LINK))
  const title = searchParams.get('title') ?? searchParams.get('summary') ?? searchParams.get('short_desc')
  const text = searchParams.get('body') ?? searchParams.get('description') ?? searchParams.get('comment') ?? ''
  expect(title).toBe('Post "x": EOF & more #1')
  const last = { github: `<${LINK}>`, jira: `[${LINK}]`, bugzilla: LINK }[tracker.kind]
  expect(text.split('\n').at(-1)).toBe(last)
})

test('an address is no longer than trackers take, whatever it holds', () => {
  for (const tracker of loadTrackers())
    for (const char of ['\u{1f600}', '語', '%', '&'])
      expect(createLink(tracker, evidenceOf(char.repeat(2000)), LINK).length).toBeLessThanOrEqual(6000)
})

test.each([
  ['javascript:alert({title})', 'must be an address'],
  ['https://{title}.example.org/', 'must be an address'],
  ['https://bugs.example.org/new?a={secret}', 'has a placeholder other than'],
])('%s is refused', (create, message) => {
  const parsed = Tracker.safeParse({ name: 'x', kind: 'github', create })
  expect(parsed.error?.issues[0]?.message).toContain(message)
})

test.each([
  ['bz1750890', 'https://bugzilla.redhat.com/show_bug.cgi?id=1750890'],
  ['OCPBUGS-1', 'https://issues.redhat.com/browse/OCPBUGS-1'],
  ['o/r#12', 'https://github.com/o/r/issues/12'],
])('%s is read at %s', (name, address) => {
  expect(bugAddress(loadTrackers(), name)).toBe(address)
  expect(bugAddress([], name)).toBe(name.includes('#') ? address : undefined)
})
