import { type NextRequest, NextResponse } from 'next/server'

/**
 * Gives every answer its content policy, and old links their page: `/?search=…`, the form that bug reports hold, is
 * rewritten and never redirected, since `curl` doesn't follow.
 */
export function proxy(request: NextRequest): NextResponse {
  const policy = contentPolicy(crypto.randomUUID())
  const headers = new Headers(request.headers)
  // Next reads the nonce from here and puts it on its own scripts.
  headers.set('content-security-policy', policy)
  const answer = answerOf(request, headers)
  // What is set here stands in place of what a route says, and raw logs have a stricter one of their own.
  if (!request.nextUrl.pathname.startsWith('/api/v1/raw/')) answer.headers.set('content-security-policy', policy)
  return answer
}

function answerOf(request: NextRequest, headers: Headers): NextResponse {
  const { pathname, searchParams } = request.nextUrl
  if (pathname !== '/' || !searchParams.has('search')) return NextResponse.next({ request: { headers } })
  const page = request.nextUrl.clone()
  page.pathname = '/search'
  return NextResponse.rewrite(page, { request: { headers } })
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
