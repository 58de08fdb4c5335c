import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { NewsKind, Struck } from '#lib/triage/news.ts'
import { TriageNews } from './triage-news.tsx'

const NOW = Date.UTC(2026, 11, 2, 10)
const MINUTE = 60_000
const GROUP = { id: 'g1', text: 'error: <boom>', runs: 2 }

function struck(kind: NewsKind, id: string): Struck {
  const [from, to] = [NOW - 40 * MINUTE, NOW - 10 * MINUTE]
  return {
    kind,
    signature: { id: `s-${id}`, title: `Failure ${id}` },
    incident: { id, at: from, from, to, runs: 5, clusters: ['build02'] },
  }
}

/** The links of the line, by their words, and the text of all. */
function shown(all: readonly Struck[], groups: readonly (typeof GROUP)[] = []) {
  const html = renderToStaticMarkup(
    <TriageNews news={{ since: NOW - 25 * 60 * MINUTE, struck: all, groups }} now={NOW} />,
  )
  const line = html.slice(0, html.indexOf('</p>'))
  const links = [...line.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href, words]) => [words, href])
  return { html, links: Object.fromEntries(links), text: html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ') }
}

test('a part leads to the one thing that it counts', () => {
  const { links, text } = shown([struck('again', 'i1'), struck('under way', 'i2')], [GROUP])
  expect(links).toEqual({
    '1 new': '/groups/g1',
    '1 seen again': '/incidents/i1',
    '1 under way on build02 (5 runs in 30 min)': '/incidents/i2',
  })
  expect(text).toContain('under way Failure i2 2 Dec 2026 09:20 40 min ago, 5 runs in 30 min on build02')
  expect(text).toContain('error: &lt;boom&gt;')
})

test('and to the list of them where they are several, eight told and the rest counted', () => {
  const { links, html, text } = shown(
    Array.from({ length: 7 }, (_, i) => struck('new', `i${i}`)),
    Array.from({ length: 4 }, (_, i) => ({ ...GROUP, id: `g${i}` })),
  )
  expect(links).toEqual({ '11 new': '#news-new' })
  expect(html).toContain('<ul id="news-new"')
  expect(html.match(/<li/g)).toHaveLength(9)
  expect(text).toContain('and 3 more')
})

test('nothing new is said', () => {
  expect(shown([]).text).toBe(' Since yesterday 09:00 : nothing new ')
})
