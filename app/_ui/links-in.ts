/** Part of a text; `href` where it is an address to follow. */
export interface Linked {
  readonly text: string
  readonly href?: string
}

/**
 * Addresses of http and https: other schemes run things or open programs, and what follows a letter, digit, `+`, `-` or
 * `.` is another scheme's tail. Characters of RFC 3986 but the apostrophe, which quotes addresses in logs; a list's next
 * address is one of its own.
 */
const ADDRESS = /(?<![\w.+-])https?:\/\/[\w[](?:(?!,https?:\/\/)[\w\-.~:/?#[\]@!$&()*+,;=%])*/gi
/** Ends sentences, lists and clauses rather than addresses. */
const PUNCTUATION = '.,:;!?*'
const OPENED_BY: Readonly<Record<string, string>> = { ')': '(', ']': '[' }
const LONGEST = 2_000

/** A line of a log with its addresses; all else, and what only looks like one, stays text. */
export function linksIn(text: string): Linked[] {
  const parts: Linked[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutTail(found)
    const href = followed(address)
    if (href === undefined) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ text: address, href })
    end = index + address.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

/** Without what closes the sentence or brackets that the address stands in. */
function withoutTail(found: string): string {
  const open: Record<string, number> = {}
  for (const char of found) open[char] = (open[char] ?? 0) + 1
  let end = found.length
  for (; end > 0; end--) {
    const last = found.charAt(end - 1)
    const opener = OPENED_BY[last]
    const isStray = opener !== undefined && (open[last] ?? 0) > (open[opener] ?? 0)
    if (!PUNCTUATION.includes(last) && !isStray) break
    open[last] = (open[last] ?? 0) - 1
  }
  return found.slice(0, end)
}

/** As a browser reads it. None with a user's name, which holds passwords, or makes another host look like the one meant. */
function followed(address: string): string | undefined {
  if (address.length > LONGEST || !URL.canParse(address)) return undefined
  const { protocol, username, password, hostname, href } = new URL(address)
  if ((protocol !== 'http:' && protocol !== 'https:') || hostname === '') return undefined
  return username === '' && password === '' ? href : undefined
}
