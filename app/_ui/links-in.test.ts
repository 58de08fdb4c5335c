import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linksIn } from './links-in.ts'

/** What of the text is linked, and where to unless that is the same. */
function links(text: string): readonly (string | readonly string[])[] {
  const linked = linksIn(text).filter(({ href }) => href !== undefined)
  return linked.map(({ text: part, href = '' }) => (href === part ? part : [part, href]))
}

describe('addresses in a line', () => {
  test.each([
    ['see https://a.example/x for it', ['https://a.example/x']],
    ['http://boskos.ci/update?name=a&state=b: EOF', ['http://boskos.ci/update?name=a&state=b']],
    ['Post "http://boskos.ci/update?name=1": EOF', ['http://boskos.ci/update?name=1']],
    ["'https://a.example/x','https://b.example/y'", ['https://a.example/x', 'https://b.example/y']],
    ['https://a.example/x,https://b.example/y', ['https://a.example/x', 'https://b.example/y']],
    ['(https://a.example/x).', ['https://a.example/x']],
    ['[log](https://a.example/x), and', ['https://a.example/x']],
    ['https://a.example/wiki/x_(y)', ['https://a.example/wiki/x_(y)']],
    ['(https://a.example/wiki/x_(y))', ['https://a.example/wiki/x_(y)']],
    ['is it https://a.example/x?', ['https://a.example/x']],
    ['https://a.example/x?y=z.', ['https://a.example/x?y=z']],
    ['**https://a.example/x**', ['https://a.example/x']],
    ['<https://a.example/x>', ['https://a.example/x']],
    ['{"url":"https://a.example/x\\n"}', ['https://a.example/x']],
    ['https://[2001:db8::1]:6443/healthz', ['https://[2001:db8::1]:6443/healthz']],
    ['get https://10.0.0.1:6443/readyz: dial tcp', ['https://10.0.0.1:6443/readyz']],
    ['HTTPS://A.example/X', [['HTTPS://A.example/X', 'https://a.example/X']]],
    ['https://a.example', [['https://a.example', 'https://a.example/']]],
    ['https://a.example/x#L12-L20', ['https://a.example/x#L12-L20']],
    ['https://a.example/%E2%82%AC', ['https://a.example/%E2%82%AC']],
    ['https://a.example/\u20ac', ['https://a.example/']],
    ['https://a.example/\u202egnp.exe', ['https://a.example/']],
    ['https://a.example/x"onclick="alert(1)', ['https://a.example/x']],
    ['https://a.example/<script>alert(1)</script>', ['https://a.example/']],
    ['javascript:alert(1)', []],
    ['javascript:https://a.example/', ['https://a.example/']],
    ['xhttps://a.example/', []],
    ['git+https://a.example/x', []],
    ['data:text/html,<b>', []],
    ['vbscript:x file:///etc/passwd ftp://a.example/ gs://b/x', []],
    ['ht\ttps://a.example', []],
    ['java\u0000script:alert(1)', []],
    ['http:///etc/passwd', []],
    ['https://', []],
    ['https://.', []],
    ['https://user:secret@a.example/', []],
    ['https://good.example@evil.example/', []],
    ['https://a.example\\@evil.example/', [['https://a.example', 'https://a.example/']]],
    ['https://a:99999/x', []],
    [`https://a.example/${'x'.repeat(2_000)}`, []],
    ['', []],
  ] as const)('%j', (text, expected) => {
    expect(links(text)).toEqual(expected)
  })

  test('no text is lost, and nothing but http and https is followed', () => {
    const piece = fc.oneof(
      fc.constantFrom('http://', 'https://', 'javascript:', 'a.b', '(', ')', '@', ',', ' '),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const parts = linksIn(text)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        for (const { href } of parts) if (href !== undefined) expect(href).toMatch(/^https?:\/\/[^/]/)
      }),
    )
  })

  test('a line made to take long does not', () => {
    const line = `https://a${')'.repeat(8_000)}`
    expect(links(line)).toEqual([['https://a', 'https://a/']])
    expect(links('https://a,'.repeat(800))).toHaveLength(800)
  })
})
