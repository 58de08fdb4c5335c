import { describe, expect, it } from 'vitest'
import { junitText } from './junit-text.ts'

async function textOf(xml: string | Uint8Array, chunk = 7): Promise<{ text: string; error?: unknown }> {
  const bytes = Buffer.from(xml)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  let text = ''
  try {
    for await (const part of junitText(chunks())) text += Buffer.from(part).toString()
    return { text }
  } catch (error) {
    return { text, error }
  }
}

describe('JUnit as text', () => {
  it.each([
    ['a passed test', '<testsuite name="s"><testcase name="t"/></testsuite>', ''],
    ['a skipped test', '<testsuite name="s"><testcase name="t"><skipped message="no"/></testcase></testsuite>', ''],
    [
      'failure and error',
      `<testsuites><testsuite name="s"><testcase name="a b"><failure message="it failed">at line 1
at line 2</failure></testcase><testcase name="c"><error>dead</error></testcase></testsuite></testsuites>`,
      '# s.a b\nit failed\nat line 1\nat line 2\n# s.c\ndead\n',
    ],
    [
      'a message that the text repeats',
      '<testsuite name="s"><testcase name="t"><failure message="broke">broke: because</failure></testcase></testsuite>',
      '# s.t\nbroke: because\n',
    ],
    [
      'CDATA, entities and UTF-8',
      '<testsuite><testcase name="t &amp; ü"><failure><![CDATA[a < b]]> &lt;é🙂&#62;</failure></testcase></testsuite>',
      '# t & ü\na < b <é🙂>\n',
    ],
    [
      'output beside the failure',
      '<testsuite name="s"><testcase name="t"><system-out>noise</system-out><failure>f</failure></testcase></testsuite>',
      '# s.t\nf\n',
    ],
  ])('of %s', async (_, xml, expected) => {
    for (const chunk of [1, 7, 10_000]) expect(await textOf(xml, chunk)).toEqual({ text: expected })
  })

  const failed = '<testsuite name="s"><testcase name="t"><failure>kept</failure></testcase>'

  it.each([
    ['breaks off', failed],
    ['is no XML', `${failed}<<<`],
    ['is HTML after all', `${failed}<br></testsuite>`],
    [
      'names an entity that it defines',
      `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(99)}">]>${failed}<testcase name="u"><failure>&a;</failure></testcase></testsuite>`,
    ],
    [
      'has an element of attributes without end',
      `${failed}<a${Array.from({ length: 9_000 }, (_, at) => ` a${at}=""`).join('')}></a></testsuite>`,
    ],
    ['nests without end', `${failed}${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}</testsuite>`],
  ])('keeps what came when the file %s', async (_, xml) => {
    for (const chunk of [1, 50, 100_000]) {
      const { text, error } = await textOf(xml, chunk)
      expect(text).toBe('# s.t\nkept\n')
      expect(error).toMatchObject({ code: 'OBJECT_BROKEN' })
    }
  })

  it('caps a failure', async () => {
    const { text } = await textOf(
      `<testsuite><testcase name="t"><failure>${'x'.repeat(1_000_000)}</failure></testcase></testsuite>`,
      65_536,
    )
    expect(text.length).toBeLessThan(300_000)
  })
})
