/**
 * Rows for a page of `limit` in order: more than that where there are more, and then on to the first whose key differs
 * from the last one's on the page, so that the page need not end amid equal keys.
 */
export function pageRows<T>(limit: number, fetch: (count: number) => T[], same: (a: T, b: T) => boolean): T[] {
  if (limit < 1) return fetch(1)
  for (let count = limit + 1; ; count *= 2) {
    const rows = fetch(count)
    const last = rows.at(-1)
    const end = rows[limit - 1]
    if (rows.length < count || !last || !end || !same(last, end)) return rows
  }
}
