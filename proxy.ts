import { type NextRequest, NextResponse } from 'next/server'

/**
 * Gives every answer its content policy, and the addresses that ci-search had their answer: rewritten and never redirected,
 * since `curl` doesn't follow. `/?search=…`, the form that bug reports hold, is the search page; `/search` is it for who
 * accepts HTML, and JSON for scripts.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const policy = contentPolicy(crypto.randomUUID())
  const headers = new Headers(request.headers)
  // Next reads the nonce from here and puts it on its own scripts.
  headers.set('content-security-policy', policy)
  const answer = await answerOf(request, headers)
  // What is set here stands in place of what a route says.
  if (!OWN_POLICY.test(request.nextUrl.pathname)) answer.headers.set('content-security-policy', policy)
  return answer
}

/** Of what unfolds links in chats and trackers; their makers' pages name these. */
const SHOWS_LINKS =
  /Slackbot|Twitterbot|facebookexternalhit|Discordbot|LinkedInBot|TelegramBot|WhatsApp|SkypeUriPreview|Mattermost-Bot|redditbot/i

/** Raw logs and pictures have a stricter one of their own. */
const OWN_POLICY = /^\/(?:api\/v1\/raw\/|og$|signatures\/[^/]+\/chart\.(?:svg|png)$)/

async function answerOf(request: NextRequest, headers: Headers): Promise<NextResponse> {
  const { pathname } = request.nextUrl
  const init = { request: { headers } }
  const lines = wantsLines(request) && !request.nextUrl.searchParams.has('search') ? linesAt(pathname) : undefined
  // A route is told the address that was asked for, and names are read from the one that it has.
  headers.delete(REWRITTEN)
  if (lines) {
    headers.set(REWRITTEN, lines)
    return NextResponse.rewrite(new URL(`${lines}${request.nextUrl.search}`, request.nextUrl), init)
  }
  if (pathname !== '/' && pathname !== '/search') return NextResponse.next(init)
  const isPage = wantsPage(request)
  const address = request.nextUrl.clone()
  // The route for scripts reads the form itself.
  if (request.method === 'POST' && (isPage || pathname === '/'))
    for (const [name, value] of await formOf(request)) address.searchParams.append(name, value)
  if (pathname === '/' && !address.searchParams.has('search')) return NextResponse.next(init)
  address.pathname = isPage ? '/search' : '/v1/search'
  return NextResponse.rewrite(isPage ? address : new URL(`${address.pathname}${request.nextUrl.search}`, address), init)
}

/** A header of requests to the API: where a page's address led. */
const REWRITTEN = 'prowl-rewritten'

/** Where the API tells the same as a page does. */
const LINES: readonly (readonly [RegExp, string])[] = [
  [/^\/$/, '/api/v1/triage'],
  [/^\/(status|coverage)$/, '/api/v1/$1'],
  [/^\/(signatures\/(?!new$)[^/]+|incidents\/[^/]+|groups\/[^/]+|runs\/.+)$/, '/api/v1/$1'],
  [/^\/bug\/(.+)$/, '/api/v1/bugs/$1'],
  [/^\/pr\/([^/]+\/[^/]+\/\d+)\/?$/, '/api/v1/prs/$1'],
  [/^\/e\/([^/]+)$/, '/api/v1/evidence/$1'],
]

function linesAt(pathname: string): string | undefined {
  const [page, address] = LINES.find(([known]) => known.test(pathname)) ?? []
  return page && address && pathname.replace(page, address)
}

function wantsLines({ method, headers, nextUrl }: NextRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const format = nextUrl.searchParams.get('format')
  return format ? format === 'text' : /^\s*text\/plain\b/.test(headers.get('accept') ?? '')
}

/** Scrapers of the page at `/` accept anything; at `/search` what accepts anything wants JSON. */
function wantsPage({ headers, nextUrl: { pathname, searchParams } }: NextRequest): boolean {
  // Next's own navigation.
  if (headers.has('rsc')) return true
  if (searchParams.has('format')) return false
  // What shows pasted links accepts anything, and reads the head of a page.
  if (SHOWS_LINKS.test(headers.get('user-agent') ?? '')) return true
  const accept = headers.get('accept') ?? ''
  return accept.includes('text/html') || (pathname === '/' && !/json|text\/plain/.test(accept))
}

/** Empty for what is no form. */
async function formOf(request: NextRequest): Promise<[string, string][]> {
  const form = await request
    .clone()
    .formData()
    .catch(() => [])
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []))
}

/** No markup ever comes from a log; should a fault let one through, this leaves it without effect. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const config = { matcher: '/((?!_next/static/|_next/image).*)' }
