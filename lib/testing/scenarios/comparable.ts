/** What each store answers in its own way: what its index leaves of the text, what it takes, what is under way, which process reads. Dots lead into objects. */
const OWN = new Set([
  ...['searched', 'searching.tasks', 'searching.gate', 'buckets.worker'],
  ...['store.kind', 'store.layout', 'store.storedBytes', 'store.index'],
])
const TOOK = / in [\d.]+\s?m?s\b/g

/** What of an answer must be the same whatever store gave it. */
export function comparable(body: string, type: string): unknown {
  if (type.startsWith('application/json')) return withoutOwn(JSON.parse(body), '')
  if (type.startsWith('text/html')) return shownText(body).replace(TOOK, '')
  return body
}

function withoutOwn(value: unknown, at: string): unknown {
  if (typeof value === 'string') return value.replace(TOOK, '')
  if (Array.isArray(value)) return value.map((each) => withoutOwn(each, at))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const path = at === '' ? key : `${at}.${key}`
      return OWN.has(path) ? [] : [[key, withoutOwn(each, path)]]
    }),
  )
}

/** The text of a page without its markup, for comparison only. */
export function shownText(html: string): string {
  return html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}
