import { z } from 'zod'
import { type BugFormat, bugText, bugTitle } from '../evidence/bug-text.ts'
import type { Evidence } from '../model/evidence.ts'

const PLACES = ['title', 'text', 'link'] as const
const Template = z
  .string()
  .refine((text) => /^https?:\/\/[^/{}?#]+(\/|$)/.test(text), 'must be an address that begins with http:// or https://')
  .refine(
    (text) => [...text.matchAll(/\{(\w*)\}/g)].every(([, name]) => PLACES.some((place) => place === name)),
    'has a placeholder other than {title}, {text} and {link}',
  )

export const Tracker = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['bugzilla', 'jira', 'github']),
  create: Template,
  show: z
    .string()
    .regex(/^https?:\/\/[^{}]+\{key\}[^{}]*$/, 'must be an address with {key} in it')
    .optional(),
})

/** A bug tracker: how a new bug is begun there, and where one is read. */
export type Tracker = z.infer<typeof Tracker>

const FORMATS: Readonly<Record<Tracker['kind'], BugFormat>> = { bugzilla: 'plain', jira: 'jira', github: 'markdown' }
/** Browsers and trackers take addresses of 8 KB at most; what is escaped may be nine times as long as it is. */
const MOST_ADDRESS = 6000
const LENGTHS = [1499, 1000, 700, 450, 300]

/** The address at which the tracker begins a bug that says this. */
export function createLink({ kind, create }: Tracker, evidence: Evidence, link: string): string {
  const filled = (most: number) => {
    const values = { title: bugTitle(evidence), text: bugText(evidence, { format: FORMATS[kind], link, most }), link }
    return create.replace(/\{(title|text|link)\}/g, (_, name: keyof typeof values) => encodeURIComponent(values[name]))
  }
  return LENGTHS.map(filled).find((address) => address.length <= MOST_ADDRESS) ?? filled(0)
}

/** Where a bug is read, by its name as lib/evidence/bug-key.ts writes it: of the first tracker of its kind. */
export function bugAddress(trackers: readonly Tracker[], name: string): string | undefined {
  const [kind, key] = /^bz\d+$/.test(name)
    ? ['bugzilla', name.slice(2)]
    : [name.includes('#') ? 'github' : 'jira', name]
  if (kind === 'github') return `https://github.com/${key.replace('#', '/issues/')}`
  return trackers.find((each) => each.kind === kind && each.show)?.show?.replace('{key}', encodeURIComponent(key))
}
