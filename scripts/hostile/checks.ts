import sax from 'sax'

/** What came back for one address, or from one command. */
export interface Told {
  readonly type: string
  readonly body: string
  /** Of the answer. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
/** They turn round what follows, beyond the text that holds them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/

/** What of a hostile text got through, in words; none: all is well. */
export function harmsOf({ type, body, headers }: Told): string[] {
  if (type === 'image/png') return []
  const harms = [...(type === 'text/html' ? markupHarms(body, String(headers['content-security-policy'])) : [])]
  const control = CONTROLS.exec(body)
  if (control) harms.push(`a control character: ${around(body, control.index)}`)
  if (type === 'text/plain' || type === 'text/csv') {
    const turn = TURNS.exec(body)
    if (turn) harms.push(`a change of direction: ${around(body, turn.index)}`)
  }
  if (type === 'text/csv' && /(?:^|,|\n)"?[=+@]/.test(body)) harms.push('a formula')
  if (type.endsWith('json'))
    for (const line of type === 'application/x-ndjson' ? body.trimEnd().split('\n') : [body]) JSON.parse(line)
  if (/[/+]xml$/.test(type)) harms.push(...xmlHarms(body))
  if (headers['set-cookie'] !== undefined) harms.push('a cookie')
  return harms
}

function markupHarms(html: string, policy: string): string[] {
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
  const harms: string[] = []
  const raw = /<\/?prowl-x/i.exec(html)
  if (raw) harms.push(`an element: ${around(html, raw.index)}`)
  const pages = html.replace(/(<script\b[^>]*>)(.*?)<\/script>/gs, (_, tag: string, script: string) => {
    if (script !== '' && !tag.includes(`nonce="${nonce}"`)) harms.push(`a script without its nonce: ${tag}`)
    return tag
  })
  for (const [tag] of pages.matchAll(/<[a-z][^\s>]*(?:\s+[^\s=>]+(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?)*\s*\/?>/gi)) {
    const names = tag.replaceAll(/"[^"]*"|'[^']*'/g, '""')
    if (/\son\w+=|\sstyle=/i.test(names)) harms.push(`an attribute: ${tag.slice(0, 200)}`)
    if (/\s(?:href|src|action)="\s*(?:javascript|data:text|vbscript)/i.test(tag))
      harms.push(`a script's address: ${tag}`)
  }
  if (!policy.includes("object-src 'none'") || /unsafe/.test(policy)) harms.push(`a weak policy: ${policy}`)
  return harms
}

/** Read strictly, and of elements and attributes the known ones alone. */
function xmlHarms(xml: string): string[] {
  const harms: string[] = []
  const parser = sax.parser(true)
  parser.onerror = (error) => {
    harms.push(`no XML: ${error.message.split('\n')[0]}`)
    parser.error = null as unknown as Error
  }
  parser.onopentag = ({ name, attributes }) => {
    if (/prowl-x|script/i.test(name) || Object.keys(attributes).some((key) => /^on/i.test(key)))
      harms.push(`an element: ${name}`)
  }
  parser.write(xml).close()
  return harms.slice(0, 3)
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + 40))
}
