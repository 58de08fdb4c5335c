import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Told } from './checks.ts'

export interface Answer extends Told {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 })

/** The address goes out as it is: `fetch` would put `..` and escapes right. */
export function ask(base: string, path: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers, agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => void chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const [type = ''] = (answer.headers['content-type'] ?? '').split(';')
        const text = Buffer.concat(chunks).toString()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, type, body: text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Addresses of this server that a page leads to, without what stands behind `#`. */
export function linksIn(html: string): string[] {
  const unescaped = (text: string) =>
    text.replace(/&(amp|quot|lt|gt|#x27);/g, (_, name: string) => NAMED[name] ?? '').replace(/#.*$/s, '')
  const found = [...html.matchAll(/\s(?:href|src|action)="(\/[^"]*)"/g)].map(([, link = '']) => unescaped(link))
  return [...new Set(found)].filter((link) => !link.startsWith('/_next/'))
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#x27': "'" }
