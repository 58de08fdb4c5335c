import { once } from 'node:events'
import { createServer as createPlain, request as httpRequest, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

export interface GuardedFront {
  /** e.g. `https://127.0.0.1:34567` */
  readonly url: string
  /** Of each request, in order: what it gave as its Authorization. */
  readonly seen: readonly (string | undefined)[]
  close(): Promise<void>
}

export interface Certificate {
  /** PEM, its own authority. */
  readonly cert: string
  readonly private: string
}

/** A certificate of 127.0.0.1, signed by itself. */
export async function ownCertificate(): Promise<Certificate> {
  return await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
}

/** What a secured cluster shows to the outside, before a node that knows no users: TLS, and a check of the Authorization header. */
export async function startGuardedFront(
  upstream: string,
  { allowed, certificate }: { readonly allowed?: string; readonly certificate?: Certificate },
): Promise<GuardedFront> {
  const seen: (string | undefined)[] = []
  const { hostname, port } = new URL(upstream)
  const listener: RequestListener = (request, response) => {
    const { authorization } = request.headers
    seen.push(authorization)
    if (allowed !== undefined && authorization !== allowed) {
      const error = { type: 'security_exception', reason: 'unable to authenticate' }
      response.writeHead(401, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
      response.end(JSON.stringify({ error: { ...error, root_cause: [error] }, status: 401 }))
      return
    }
    const { method = 'GET', url = '/', headers } = request
    const outgoing = httpRequest({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    request.pipe(outgoing)
  }
  const server = certificate
    ? createSecure({ key: certificate.private, cert: certificate.cert }, listener)
    : createPlain(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
