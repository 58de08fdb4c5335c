import { formatQuery, parseQuery } from '#lib/search/query.ts'
import type { OrderKey } from '#lib/store/store.ts'

/** Where a page before ended, as the search's links write it; undefined for none or a bad one. */
export function cursorOf(text: string | undefined): OrderKey | undefined {
  return text === undefined ? undefined : parseQuery(new URLSearchParams({ search: '', after: text })).after
}

export function cursorText(key: OrderKey): string {
  const { query } = parseQuery(new URLSearchParams())
  return formatQuery(query, key).get('after') ?? ''
}
