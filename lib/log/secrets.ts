import type { Config } from '../config.ts'

export const REDACTED = '[redacted]'

/** Shorter ones would be found in any line, and hide nothing. */
const SHORTEST = 4

/** What of the settings nobody may read: the webhook's address, keys and passwords. */
export function secretsOf({ webhook, elastic }: Pick<Config, 'webhook' | 'elastic'>): string[] {
  const auth = elastic?.auth
  const keys = auth ? ('apiKey' in auth ? [auth.apiKey] : [auth.password]) : []
  // Messages of libraries may tell the path of a request alone, or the end of it.
  const { pathname = '', search = '' } = webhook === undefined ? {} : new URL(webhook)
  const paths = [`${pathname}${search}`, pathname, pathname.split('/').at(-1) ?? '']
  return [webhook ?? '', ...paths, ...keys].filter((secret) => secret.length >= SHORTEST)
}

/** What looks like credentials, whoever wrote it: of URLs, of Authorization headers, of signed addresses. */
const CREDENTIALS: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z\d+.-]*:\/\/)[^\s/"'@]+@/gi, `$1${REDACTED}@`],
  [/\b(Bearer|Basic|ApiKey) +[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/([?&](?:access_token|token|api_?key|sig|signature|x-(?:goog|amz)-signature)=)[^&\s"']+/gi, `$1${REDACTED}`],
]

/** Takes secrets out of a line of JSON: these values, escaped as JSON has them, and what looks like credentials. */
export function redactor(secrets: readonly string[]): (line: string) => string {
  const values = [...new Set(secrets.map((secret) => JSON.stringify(secret).slice(1, -1)))]
  values.sort((a, b) => b.length - a.length)
  const clean = (text: string) => {
    const known = values.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
    return CREDENTIALS.reduce((rest, [found, kept]) => rest.replace(found, kept), known)
  }
  // Within strings alone: of a number nothing is taken.
  return (line) => line.replace(/"(?:[^"\\]|\\.)*"/g, (token) => `"${clean(token.slice(1, -1))}"`)
}
