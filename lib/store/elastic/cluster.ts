import { type Client, errors, type estypes } from '@elastic/elasticsearch'
import { ProwlError } from '../../errors.ts'
import { type Patience, patiently } from './connect.ts'
import type { Names } from './layout.ts'

/** A query or aggregation as JSON: the client's types of them don't fit `exactOptionalPropertyTypes`. */
export type Query = Readonly<Record<string, object>>
export type Order = readonly Readonly<Record<string, 'asc' | 'desc'>>[]

/** Names of indices in a request's address: they have at most 70 characters each, and Elasticsearch takes 4,096. */
export const NAMED_AT_ONCE = 32

interface SearchBody {
  readonly query?: Query
  readonly aggs?: Readonly<Record<string, object>>
  readonly sort?: Order
  readonly size: number
  readonly _source?: readonly string[]
  readonly search_after?: estypes.SortResults
  readonly track_total_hits?: boolean
}

/** A cluster, and how to ask it so that no part of an answer is missing unseen. */
export class Cluster {
  readonly client: Client
  readonly names: Names
  readonly prefix: string
  readonly patience: Patience
  /** Written by this process, not refreshed since. */
  readonly #stale = new Set<string>()
  readonly #refreshes = new Map<string, { readonly running: Promise<void>; next: Promise<void> | undefined }>()

  constructor(client: Client, prefix: string, names: Names, patience: Patience) {
    this.client = client
    this.prefix = prefix
    this.names = names
    this.patience = patience
  }

  /** A search whose every shard answered; it sees all that this process wrote. Throws STORE_FAILED otherwise. */
  async search<D>(index: string | readonly string[], body: SearchBody) {
    const indices = [index].flat() as string[]
    await Promise.all(indices.map((name) => this.#seen(name)))
    const whole = { track_total_hits: false, ...(body as estypes.SearchRequest) }
    const answer =
      indices.length > NAMED_AT_ONCE
        ? await this.#searchMany<D>(indices, whole)
        : await this.client.search<D>({ index: indices, allow_partial_search_results: false, ...whole })
    const { timed_out, _shards } = answer
    if (timed_out || _shards.failed > 0)
      throw new ProwlError('STORE_FAILED', `${_shards.failed} of ${_shards.total} shards did not answer; try again`)
    return answer
  }

  /** More names than an address has room for go into the body of a request for several searches, of which this is one. */
  async #searchMany<D>(index: string[], body: estypes.SearchRequest): Promise<estypes.SearchResponse<D>> {
    return await patiently(this.patience, async () => {
      const searches = [{ index, allow_partial_search_results: false }, body as estypes.MsearchRequestItem]
      const [answer] = (await this.client.msearch<D>({ searches })).responses
      if (answer && !('error' in answer)) return answer
      const told = { warnings: null, meta: {} as never, headers: {} }
      throw new errors.ResponseError({ ...told, statusCode: answer?.status ?? 500, body: answer })
    })
  }

  /** Documents by id as they are now, refreshed or not; undefined for those that are not there. */
  async get<D>(wanted: readonly { readonly index: string; readonly id: string; readonly fields?: string[] }[]) {
    if (wanted.length === 0) return []
    const docs = wanted.map(({ index, id, fields }) => ({
      _index: index,
      _id: id,
      ...(fields ? { _source: fields } : {}),
    }))
    const answer = await this.client.mget<D>({ docs })
    return answer.docs.map((doc) => {
      if ('error' in doc) throw new ProwlError('STORE_FAILED', `${doc._index}: ${doc.error.reason ?? doc.error.type}`)
      const { found, _source, _seq_no = 0, _primary_term = 0 } = doc
      return found && _source ? { source: _source, state: { _seq_no, _primary_term } } : undefined
    })
  }

  async getOne<D>(index: string, id: string) {
    const [doc] = await this.get<D>([{ index, id }])
    return doc
  }

  /** A refresh that is running was begun for what was written before it. */
  async #seen(index: string): Promise<void> {
    await (this.#stale.has(index) ? this.refresh(index) : this.#refreshes.get(index)?.running)
  }

  touch(index: string): void {
    this.#stale.add(index)
  }

  /** Makes what was written before the call visible to every search. Calls that come while one runs share the next. */
  async refresh(index: string): Promise<void> {
    const current = this.#refreshes.get(index)
    if (!current) return this.#start(index)
    current.next ??= current.running.catch(() => undefined).then(() => this.#start(index))
    return current.next
  }

  #start(index: string): Promise<void> {
    this.#stale.delete(index)
    const running = this.client.indices
      .refresh({ index })
      .then(({ _shards }) => {
        if (_shards && _shards.failed > 0)
          throw new ProwlError('STORE_FAILED', `${index}: ${_shards.failed} shards were not refreshed; try again`)
      })
      .catch((error: unknown) => {
        this.#stale.add(index)
        throw error
      })
      .finally(() => {
        if (this.#refreshes.get(index) === entry) this.#refreshes.delete(index)
      })
    const entry = { running, next: undefined }
    this.#refreshes.set(index, entry)
    return running
  }

  /** Refreshes all that this process wrote. */
  async settle(): Promise<void> {
    await Promise.all([...this.#stale].map((index) => this.refresh(index)))
  }
}

/** All that a query finds, in the order of `sort`, which must tell any two apart. */
export async function* everything<D>(
  cluster: Cluster,
  index: string | readonly string[],
  body: SearchBody & { readonly sort: Order },
): AsyncGenerator<estypes.SearchHit<D> & { readonly _source: D }> {
  for (let after: estypes.SortResults | undefined; ; ) {
    const { hits } = await cluster.search<D>(index, { ...body, ...(after ? { search_after: after } : {}) })
    for (const hit of hits.hits) if (hit._source !== undefined) yield { ...hit, _source: hit._source }
    after = hits.hits.at(-1)?.sort
    if (hits.hits.length < body.size || !after) return
  }
}

const RETRIES = 5

/** A read that meets what is being replaced gives undefined, and starts again. */
export async function untilStable<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < RETRIES; i++) {
    const answer = await read()
    if (answer !== undefined) return answer
  }
  throw new ProwlError('STORE_CORRUPT', 'documents that others name are missing; read the bucket again')
}
