import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, groupOf } from './fold.ts'

describe('a failure text is folded', () => {
  test.each([
    ['took 93 of 181 tests, 12.5%', 'took # of # tests, #%'],
    ['the e2e tests of k8s on ec2 failed', 'the e2e tests of k8s on ec2 failed'],
    ['lease 4c1f0a7e-0b7d-4a52-9a55-3d1b2a7f9c11 lost', 'lease <id> lost'],
    ['at 1e2bca909facdf530b50eff6f38644570c28d696', 'at <hex>'],
    ['addr=0x18 pc=0x1c3f2aa', 'addr=<hex> pc=<hex>'],
    ['expected digest sha256:acf7491dbbf2e4f89e74', 'expected digest <hash>'],
    ['dial tcp 172.30.131.17:80: connect: refused', 'dial tcp <host>: connect: refused'],
    ['dial tcp [fd00:1:2::17]:443: i/o timeout', 'dial tcp <host>: i/o timeout'],
    ['lookup quay.io on 10.0.0.10:53', 'lookup <host> on <host>'],
    ['node ip-10-0-180-225.ec2.internal is gone', 'node <host> is gone'],
    ['Get https://api.example.org:6443/api?x=1 failed', 'Get <url> failed'],
    ['Post "https://boskos/update?name=a": EOF', 'Post <name>: EOF'],
    ['quota slice "us-east-1" is gone', 'quota slice <name> is gone'],
    ["it can't be: 'aws-2' isn't", "it can't be: <name> isn't"],
    ['said "no such thing" twice', 'said "no such thing" twice'],
    ['/go/src/github.com/x/y/machines.go:296 +0x3f2', '<path>:# +<hex>'],
    ['fail [github.com/openshift/origin/test/util.go:42]: no', 'fail [<path>:#]: no'],
    ['read and/or write', 'read and/or write'],
    ['the pod ci-op-i4lt4rqr/e2e-aws failed after 128m', 'the pod <ns>/e2e-aws failed after <time>'],
    ['pod ingress-operator-43108b55d9-jqby6 died', 'pod ingress-operator-<id> died'],
    ['pod router-4xk9z died', 'pod router-<id> died'],
    ['after 1h2m3.5s, not 300ms', 'after <time>, not <time>'],
    ['2026/08/18 19:55:06 * could not', '* could not'],
    ['Aug 18 19:43:10.200: FAIL: the end', 'FAIL: the end'],
    ['I0818 19:43:10.200] rsync: no space', 'rsync: no space'],
    ['E0818 19:43:10.200123   17319 controller.go:135] failed', 'failed'],
    ['ERRO[2026-09-02T00:09:33Z] Build   evicted', 'Build evicted'],
    ['time="2026-09-02T00:09:33Z" level=fatal msg="no"', '<name>'],
  ])('%s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })
})

describe('groups', () => {
  test('are the same for texts that differ by what is folded, and last', () => {
    const one = groupOf('Aug 18 19:43:10.200: FAIL: node "a" was rebooted 2 times')
    expect(groupOf('Sep  7 01:02:03.000: FAIL: node "b" was rebooted 5 times')).toBe(one)
    // Links hold it: another folding gives every group another id.
    expect(one).toBe('2592ca1a68e8')
  })

  test.each([
    ['lookup quay.io: i/o timeout', 'lookup quay.io: no such host'],
    [
      'FAIL: the upgrade was not acknowledged, giving up on etcd',
      'FAIL: the upgrade was not acknowledged, giving up on dns',
    ],
    ['timed out waiting for pods', 'timed out waiting for nodes'],
    ['e2e failed', 'e3e failed'],
  ])('differ: %s, %s', (a, b) => {
    expect(groupOf(a)).not.toBe(groupOf(b))
  })

  test('of any text are short, and folding again changes no text of words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        expect(fold(text).length).toBeLessThanOrEqual(400)
        expect(groupOf(text)).toMatch(/^[0-9a-f]{12}$/)
      }),
    )
  })
})
