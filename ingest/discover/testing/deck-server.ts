import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface DeckServer {
  readonly address: string
  /** Of each request. */
  readonly urls: string[]
  readonly headers: Readonly<Record<string, unknown>>[]
}

/** A Deck that answers each request as the next of `answers` does, the last of them for ever. */
export async function deckServer(...answers: readonly RequestListener[]): Promise<DeckServer> {
  const urls: string[] = []
  const headers: Readonly<Record<string, unknown>>[] = []
  const server = createServer((request, response) => {
    const answer = answers[Math.min(urls.length, answers.length - 1)]
    urls.push(request.url ?? '')
    headers.push(request.headers)
    answer?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, urls, headers }
}
