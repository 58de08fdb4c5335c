import type { Listing, ListOptions, Source } from '../source/source.ts'

type Query = Pick<ListOptions, 'prefix' | 'startOffset' | 'endOffset' | 'pageToken'>

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

/** Listings with a cap on pages; what a cap cuts off is told. */
export class Listings {
  readonly source: Source
  readonly signal: AbortSignal | undefined
  readonly gaps: string[] = []
  /** Pages that all of them took. */
  taken = 0
  readonly maxPages: number

  constructor(source: Source, maxPages: number, signal: AbortSignal | undefined) {
    this.source = source
    this.maxPages = maxPages
    this.signal = signal
  }

  async *pages(query: Query): AsyncGenerator<Listing> {
    let left = this.maxPages
    for await (const page of pages(this.source, query, this.signal)) {
      this.taken++
      yield page
      if (page.nextPageToken === undefined || --left > 0) continue
      this.cut(query.prefix, this.maxPages)
      return
    }
  }

  async first(query: Query): Promise<Listing> {
    this.taken++
    return await listPage(this.source, query, this.signal)
  }

  /** Names of the directories right below a prefix, without slashes. */
  async names(query: Query): Promise<string[]> {
    const found: string[] = []
    for await (const page of this.pages(query))
      for (const name of page.prefixes) found.push(name.slice(query.prefix.length, -1))
    return found
  }

  cut(prefix: string, pages: number): void {
    this.gaps.push(`${prefix}: listing stopped after ${pages} pages; runs may be missing`)
  }
}
