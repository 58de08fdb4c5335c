import { ERROR_CODES, type ErrorCode, ProwlError } from '#lib/errors.ts'
import type { StreamOptions } from '#lib/service/search-stream.ts'
import type { DataReach, SearchHitView } from '#lib/service/views.ts'
import type { Asked, Lines } from './asked.ts'

/** A running prowl, by its address. Throws CONFIG_INVALID; its answers throw SERVER_UNREACHABLE and what the server refuses with. */
export function askServer(url: string): Asked {
  const site = URL.parse(url)?.href.replace(/\/+$/, '')
  if (!site || !/^https?:/.test(site))
    throw new ProwlError(
      'CONFIG_INVALID',
      `--url ${url}: give the address of a prowl, such as https://prowl.example.org`,
    )
  const get = <T>(path: string, params = new URLSearchParams(), signal?: AbortSignal) =>
    fetched<T>(`${site}/api/v1/${path}?${params}`, signal)
  return {
    site,
    known: (text) => get('known', new URLSearchParams({ run: text })),
    pull: ({ org, repo, number }) => get(`prs/${[org, repo, String(number)].map(encodeURIComponent).join('/')}`),
    catalogue: () => get('signatures'),
    counts: (params, options) => get('search/count', params, checked(options).signal),
    lines: (params, options) => linesOf((page) => get<SearchPage>('search', page, checked(options).signal), params),
    tally: (params, top, { signal }) => get('tally', new URLSearchParams([...params, ['top', String(top)]]), signal),
    close: async () => {},
  }
}

/** One page of an answer: hits with their links among their fields. */
interface SearchPage {
  readonly reach: DataReach
  readonly hits: readonly (SearchHitView['hit'] & { readonly links: SearchHitView['links'] })[]
  readonly partial: readonly string[]
  readonly next?: string
}

async function linesOf(
  page: (params: URLSearchParams) => Promise<SearchPage>,
  params: URLSearchParams,
): Promise<Lines> {
  const first = new URLSearchParams(params)
  first.set('groupBy', 'none')
  const answer = await page(first)
  return { reach: answer.reach, hits: hitsOf(answer, (next) => page(new URLSearchParams(next))) }
}

async function* hitsOf(
  first: SearchPage,
  page: (next: string) => Promise<SearchPage>,
): AsyncGenerator<SearchHitView, readonly string[]> {
  const lacking = new Set<string>()
  for (let answer = first; ; ) {
    for (const { links, ...hit } of answer.hits) yield { hit, links }
    // More lines than a page holds are on the next one; what the data lacks is told with how far it reaches.
    const others = new Set<string>([...answer.reach.lacking, ...(answer.next === undefined ? [] : ['limit'])])
    for (const reason of answer.partial) if (!others.has(reason)) lacking.add(reason)
    if (answer.next === undefined) return [...lacking]
    answer = await page(answer.next)
  }
}

function checked(options: StreamOptions): StreamOptions {
  if (options.maxBytes === undefined) return options
  throw new ProwlError('CONFIG_INVALID', '--max-bytes: a server has limits of its own; leave it out with --url')
}

async function fetched<T>(url: string, signal?: AbortSignal): Promise<T> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(url, { headers, ...(signal && { signal }) }).catch((cause: unknown) => {
    throw unreachable(
      url,
      cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause),
      cause,
    )
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok && typeof body === 'object' && body !== null) return body as T
  throw refusalOf(body) ?? unreachable(url, `it answers ${answer.status}`)
}

/** `{"error": {code, message}}`, or the same fields at the top. */
function refusalOf(body: unknown): ProwlError | undefined {
  const told = fieldsOf(fieldsOf(body).error ?? body)
  const { code, message = told.detail, position } = told
  if (typeof code !== 'string' || !(code in ERROR_CODES) || typeof message !== 'string') return undefined
  return new ProwlError(code as ErrorCode, message, typeof position === 'number' ? { position } : {})
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function unreachable(url: string, why: string, cause?: unknown): ProwlError {
  const { origin } = new URL(url)
  return new ProwlError('SERVER_UNREACHABLE', `${origin} gives no answer of prowl (${why}); check --url`, { cause })
}
