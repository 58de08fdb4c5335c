import { FIRST } from './addresses.ts'
import { type Answer, ask, linksIn } from './ask.ts'
import { harmsOf } from './checks.ts'
import { SECRET } from './served.ts'

/** Of pages that lead to each other: as many of each kind. */
const OF_A_KIND = 3

/** As browsers ask. */
export const PAGE = { headers: { accept: 'text/html' } } as const

/** Reflected from the address that the reader sent: a browser shows them as nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** What is wrong with an answer, in words. */
export function wrong(answer: Answer): string[] {
  // The bytes of a log as they are: a browser shows them as text alone, and programs want them whole.
  const isRaw = answer.type === 'text/plain' && String(answer.headers['content-security-policy']).endsWith('sandbox')
  const harms = isRaw ? [] : harmsOf(answer)
  if (answer.status >= 500) harms.push(`status ${answer.status}: ${answer.body.slice(0, 300)}`)
  if (answer.body.includes(SECRET)) harms.push('it tells the secret')
  return harms
}

/** What is wrong with the answer to an address that is hostile itself. */
export async function wrongAt(base: string, path: string): Promise<string[]> {
  const { headers, status, body, type } = await ask(base, path, PAGE)
  const told = { headers, status, type, body: type === 'text/html' ? body.replaceAll(CONTROLS, '') : body }
  const found = wrong(told)
  if (/^root:/m.test(body)) found.push('a file of the system')
  if (headers.location !== undefined && !/^\/(?![/\\])/.test(headers.location))
    found.push(`leads to ${headers.location}`)
  return found.map((harm) => `${path.slice(0, 200)}: ${harm}`)
}

/** Pages that are reached by links from the first ones, of each kind some, and what is wrong with them. */
export async function crawl(
  base: string,
): Promise<{ readonly pages: readonly string[]; readonly harms: readonly string[] }> {
  const known = new Set(FIRST)
  const kinds = new Map<string, number>()
  const harms: string[] = []
  for (const path of known) {
    const answer = await ask(base, path, PAGE)
    for (const harm of wrong(answer)) harms.push(`${path.slice(0, 150)}: ${harm}`)
    for (const link of linksIn(answer.body)) {
      const kind = `${/^\/[^/?]*/.exec(link)} ${/[?&](log|from|after)=/.exec(link)?.[1]}`
      if (known.has(link) || (kinds.get(kind) ?? 0) >= OF_A_KIND) continue
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      known.add(link)
    }
  }
  return { pages: [...known], harms }
}
