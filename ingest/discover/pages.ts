import type { Listing, ListOptions, Source } from '../source/source.ts'

type Query = Pick<ListOptions, 'prefix' | 'startOffset' | 'pageToken'>

export async function listPage(source: Source, query: Query, signal: AbortSignal | undefined): Promise<Listing> {
  return await source.list({ ...query, delimiter: '/', ...(signal ? { signal } : {}) })
}

export async function* pages(source: Source, query: Query, signal?: AbortSignal): AsyncGenerator<Listing> {
  let pageToken: string | undefined
  do {
    const page = await listPage(source, { ...query, ...(pageToken === undefined ? {} : { pageToken }) }, signal)
    yield page
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}

/** Names of the directories right below a prefix, without slashes. */
export async function names(source: Source, query: Query, signal: AbortSignal | undefined): Promise<string[]> {
  const found: string[] = []
  for await (const page of pages(source, query, signal))
    for (const name of page.prefixes) found.push(name.slice(query.prefix.length, -1))
  return found
}
