import { expect, test } from 'vitest'
import type { Signature } from '../model/signature.ts'
import { makeSignature } from '../testing/values.ts'
import { logKnown, logText } from './log-known.ts'

const BUG = 'https://bugzilla.redhat.com/show_bug.cgi?id=1750890'
const LEASE = makeSignature({
  bugs: [BUG],
  logs: ['container-log'],
  regexes: ['failed to send heartbeat .*: (?P<cause>.+)$'],
  excludes: ['quoted'],
  witness: 'heartbeat sent',
  causes: [{ id: 'eof', title: 'EOF', regex: '^EOF' }],
})
const QUOTA = makeSignature({ id: 'aws.quota', title: 'Quota', regexes: ['quota exceeded'] })
const PART = makeSignature({ id: 'boskos.eof', regexes: [], part: { of: LEASE.id, causes: ['eof'] } })
const YIELDING = makeSignature({ id: 'any', title: 'Any', regexes: ['heartbeat .*EOF'], yieldsTo: [LEASE.id] })

async function known(text: string | Buffer, signatures: readonly Signature[] = [LEASE, QUOTA]) {
  const bytes = Buffer.from(text)
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  return await logKnown(signatures, pieces())
}

const HIT = 'failed to send heartbeat for "r": EOF'

test.each<[string, string | Buffer, readonly Signature[] | undefined, string, readonly (readonly [string, number])[]]>([
  ['a line, of whatever kind of log', `a\n${HIT}\n`, undefined, 'known', [['boskos.heartbeat', 2]]],
  ['without a line end, with colours', `a\n\u001b[31m${HIT}\u001b[0m`, undefined, 'known', [['boskos.heartbeat', 2]]],
  ['the first line that says so', `${HIT}\n${HIT}\n`, undefined, 'known', [['boskos.heartbeat', 1]]],
  [
    'two failures',
    `quota exceeded\n${HIT}`,
    undefined,
    'known',
    [
      ['boskos.heartbeat', 2],
      ['aws.quota', 1],
    ],
  ],
  ['a line that is excluded', `quoted ${HIT}`, undefined, 'not', []],
  ['a failure that was over', `${HIT}\nheartbeat sent`, undefined, 'not', [['boskos.heartbeat', 1]]],
  ['a part, told by its whole', HIT, [LEASE, PART], 'known', [['boskos.heartbeat', 1]]],
  ['one that yields', HIT, [LEASE, YIELDING], 'known', [['boskos.heartbeat', 1]]],
  ['bytes that are no text', Buffer.of(0xff, 0, 0x80, 0x0a), undefined, 'not', []],
  ['nothing', '', undefined, 'not', []],
])('%s', async (_, text, signatures, answer, found) => {
  const told = await known(text, signatures)
  expect(told.answer).toBe(answer)
  expect(told.matches.map(({ id, line }) => [id, line])).toEqual(found)
})

test('as text: the bug and the line, or what it seems to have failed with', async () => {
  expect(logText(await known(`x\n${HIT}\u0007`))).toBe(
    `known: Boskos lease lost\n  died of: Boskos lease lost (boskos.heartbeat)\n  bug: ${BUG}\n  line: 2: ${HIT}\u2407\n`,
  )
  const failed = logText(await known('x\nerror: could not run steps: step e2e failed\n'))
  expect(failed).toBe(
    'not known: no signature matches its 2 lines\n  failed with: 2: error: could not run steps: step e2e failed\n',
  )
})
