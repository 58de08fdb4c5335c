import type { Metadata } from 'next'
import { siteOfPage } from '../_server/site.ts'

/** Characters that programs show of a link's description. */
const DESCRIPTION = 400

export interface Pasted {
  readonly title: string
  /** What a pasted link says in its first line, where that is more than the page's title. */
  readonly headline?: string
  readonly description: string
  /** Of the page, with its parameters. */
  readonly path: string
  /** Of a picture of 1,200 by 630, and what it shows in words. */
  readonly picture?: { readonly path: string; readonly alt: string }
}

/** A page's head: what a link to it says where it is pasted. Addresses are whole, as those who read them need. */
export async function pasted({ title, headline = title, description, path, picture }: Pasted): Promise<Metadata> {
  const site = await siteOfPage()
  const text =
    description.length > DESCRIPTION ? `${description.slice(0, DESCRIPTION - 1).toWellFormed()}…` : description
  const images = picture && [
    { url: site + picture.path, width: 1200, height: 630, alt: picture.alt, type: 'image/png' },
  ]
  return {
    title,
    description: text,
    openGraph: {
      title: headline,
      description: text,
      type: 'article',
      siteName: 'prowl',
      url: site + path,
      ...(images && { images }),
    },
    twitter: {
      card: images ? 'summary_large_image' : 'summary',
      title: headline,
      description: text,
      ...(images && { images }),
    },
  }
}
