import XMLBuilder from 'fast-xml-builder'
import { xmlText } from '../text/printable.ts'

/** What a reader of feeds is told: times in epoch ms, addresses whole. */
export interface Feed {
  /** Lasts, as those of its entries do: addresses may change. */
  readonly id: string
  readonly title: string
  /** Where it is, and the page that it is of. */
  readonly self: string
  readonly page: string
  readonly updated: number
  readonly entries: readonly FeedEntry[]
}

export interface FeedEntry {
  readonly id: string
  readonly title: string
  readonly published: number
  readonly updated: number
  readonly link: string
  readonly text: string
}

const builder = new XMLBuilder({
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  suppressEmptyNode: true,
  format: true,
})

/** Atom 1.0 (RFC 4287). All is plain text: what a log holds never becomes markup in a reader's program. */
export function atom({ id, title, self, page, updated, entries }: Feed): string {
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'utf-8' },
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id: xmlText(id),
      title: plain(title),
      updated: time(updated),
      author: { name: 'prowl' },
      link: [link('self', self, 'application/atom+xml'), link('alternate', page, 'text/html')],
      entry: entries.map((entry) => ({
        id: xmlText(entry.id),
        title: plain(entry.title),
        published: time(entry.published),
        updated: time(entry.updated),
        link: link('alternate', entry.link, 'text/html'),
        content: plain(entry.text),
      })),
    },
  })
}

function plain(text: string) {
  return { '@type': 'text', '#text': xmlText(text) }
}

function link(rel: string, href: string, type: string) {
  return { '@rel': rel, '@type': type, '@href': xmlText(href) }
}

function time(at: number): string {
  return new Date(at).toISOString()
}
