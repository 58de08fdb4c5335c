import fc from 'fast-check'
import sax from 'sax'
import { expect, test } from 'vitest'
import { atom, type Feed, type FeedEntry } from './atom.ts'

const AT = Date.UTC(2026, 10, 3, 2, 14)
const entry = (given: Partial<FeedEntry> = {}): FeedEntry => ({
  id: 'tag:prowl,2026:incident/a',
  title: 'struck',
  published: AT,
  updated: AT,
  link: 'https://prowl.test/incidents/a',
  text: '2 runs died of it',
  ...given,
})
const feed = (entries: readonly FeedEntry[]): Feed => ({
  id: 'tag:prowl,2026:all',
  title: 'prowl: what changed',
  self: 'https://prowl.test/feed?signature=a&b="c"',
  page: 'https://prowl.test/',
  updated: AT,
  entries,
})

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** By another library than wrote it, which refuses what is not well-formed. */
function parse(xml: string): Element {
  const parser = sax.parser(true, { xmlns: false })
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  }
  parser.onclosetag = () => void open.pop()
  parser.ontext = (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.write(xml).close()
  const [only] = root.children
  if (!only || root.children.length > 1) throw new Error('not one root')
  return only
}

const named = (element: Element, name: string) => element.children.filter((child) => child.name === name)
const textOf = (element: Element | undefined, name: string) => element && named(element, name).map(({ text }) => text)

test('has what Atom asks for, once each', () => {
  const root = parse(atom(feed([entry(), entry({ id: 'tag:prowl,2026:b' })])))
  expect(root).toMatchObject({ name: 'feed', attributes: { xmlns: 'http://www.w3.org/2005/Atom' } })
  for (const name of ['id', 'title', 'updated', 'author']) expect(named(root, name), name).toHaveLength(1)
  expect(textOf(root, 'updated')).toEqual(['2026-11-03T02:14:00.000Z'])
  expect(named(root, 'link').map(({ attributes }) => attributes)).toEqual([
    { rel: 'self', type: 'application/atom+xml', href: 'https://prowl.test/feed?signature=a&b="c"' },
    { rel: 'alternate', type: 'text/html', href: 'https://prowl.test/' },
  ])
  const entries = named(root, 'entry')
  expect(entries).toHaveLength(2)
  for (const each of entries) {
    for (const name of ['id', 'title', 'published', 'updated', 'content', 'link'])
      expect(named(each, name), name).toHaveLength(1)
    for (const name of ['title', 'content']) expect(named(each, name)[0]?.attributes).toEqual({ type: 'text' })
  }
})

test.each([0, 1])('of %d entries is a feed', (count) => {
  expect(named(parse(atom(feed(Array(count).fill(entry())))), 'entry')).toHaveLength(count)
})

test('text of logs stays text', () => {
  const title = '</title><script>alert(1)</script> &amp; ]]> <!-- <![CDATA[ &#0; "q" \'a\''
  const [found] = named(parse(atom(feed([entry({ title, text: title })]))), 'entry')
  expect([textOf(found, 'title'), textOf(found, 'content')]).toEqual([[title], [title]])
  expect(found?.children.map(({ name }) => name)).toEqual(['id', 'title', 'published', 'updated', 'link', 'content'])
})

/** Char of XML 1.0, its production 2. */
const CHAR = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

test('whatever text it is given, it is XML and says the same', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (title, content) => {
      const xml = atom(
        feed([entry({ title, text: content, link: `https://prowl.test/${encodeURIComponent(title.toWellFormed())}` })]),
      )
      expect(CHAR.test(xml)).toBe(true)
      const [found] = named(parse(xml), 'entry')
      const legal = (given: string) =>
        [...given.toWellFormed()].map((char) => (CHAR.test(char) ? char : '\ufffd')).join('')
      expect([textOf(found, 'title'), textOf(found, 'content')]).toEqual([[legal(title)], [legal(content)]])
    }),
    {
      examples: [
        ['\u0000\u001b[31m', '\ud800'],
        ['\uffff', ' a\r\nb '],
        ['', '12'],
      ],
    },
  )
})
