/**
 * The name of a bug, whichever way people write it: `bz1750890` for a number or a Bugzilla address, `OCPBUGS-123` for
 * Jira, `org/repo#12` for GitHub. Undefined for what names none.
 */
export function bugName(text: string): string | undefined {
  const given = text.trim()
  return /^https?:\/\//i.test(given) ? nameAt(given) : nameOf(given)
}

/** Whether it says of what tracker it is: a number alone may be anything. */
export function isCertain(text: string): boolean {
  return bugName(text) !== undefined && !/^#?\d+$/.test(text.trim())
}

function nameOf(text: string): string | undefined {
  const number = /^(?:bz|bug|rhbz)?[\s:#-]*0*(\d{1,10})$/i.exec(text)?.[1]
  if (number) return `bz${number}`
  if (/^[a-z][a-z0-9_]{1,29}-\d{1,10}$/i.test(text)) return text.toUpperCase()
  const issue = /^([\w.-]{1,100})\/([\w.-]{1,100})(?:#|\/issues\/|\/pull\/)(\d{1,10})$/.exec(text)
  return issue ? `${issue[1]}/${issue[2]}#${issue[3]}` : undefined
}

/** The forms that trackers give their addresses. */
function nameAt(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { hostname, pathname, searchParams } = new URL(address)
  const id = searchParams.get('id')
  if (/\/show_bug\.cgi$/.test(pathname) && id) return nameOf(id)
  const jira =
    /\/(?:browse|issues)\/([a-z][a-z0-9_]+-\d+)\/?$/i.exec(pathname)?.[1] ?? searchParams.get('selectedIssue')
  if (jira) return nameOf(jira)
  const issue = /^\/([^/]+)\/([^/]+)\/(?:issues|pull)\/(\d+)(?:\/|$)/.exec(pathname)
  if (issue) return nameOf(`${issue[1]}/${issue[2]}#${issue[3]}`)
  const isBugzilla = /(^|\.)(bugzilla\.|bugzil\.la$)/.test(hostname)
  return isBugzilla && /^\/\d+\/?$/.test(pathname) ? nameOf(pathname.replaceAll('/', '')) : undefined
}
