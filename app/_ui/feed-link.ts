import type { Metadata } from 'next'

export const FEED_TYPE = 'application/atom+xml'

/** Of everything, or of one signature. */
export function feedAddress(signature?: string): string {
  return signature === undefined ? '/feed' : `/feed?signature=${encodeURIComponent(signature)}`
}

/** In the head of a page, where browsers and readers of feeds look for one. */
export function feedLink(signature?: string): NonNullable<Metadata['alternates']> {
  return { types: { [FEED_TYPE]: [{ url: feedAddress(signature), title: 'what changed' }] } }
}
