import ms from 'ms'
import { z } from 'zod'
import { LOG_KINDS } from '../model/run.ts'

/** The words of a signature file (docs/signatures.md), each entry checked by itself. Unknown keys are errors: a typo must show. */

/** Marks of a track that are not a cause's id. */
const RESERVED_CAUSES = ['witness', 'other']

const Id = z.string().regex(/^[a-z0-9][a-z0-9_.-]*$/, 'use lower-case letters, digits, `.`, `_`, `-`')
const Text = z.string().trim().min(1)
const HttpUrl = z.url({ protocol: /^https?$/, error: 'expected an http(s) address' })
const Pattern = z.string().min(1)

const Duration = z.string().transform((text, context) => {
  const value = /^\d/.test(text) && text.length < 100 ? ms(text as ms.StringValue) : undefined
  if (value !== undefined && value > 0) return value
  context.addIssue('expected a duration such as `30s`, `30m`, `6h`')
  return z.NEVER
})

const Instant = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'expected a UTC date or an RFC 3339 time, e.g. `2020-02-11` or `2020-02-11T08:30:00Z`',
  })
  .transform((text) => Date.parse(text))

/** A bug report's address, or that with the time at which it was closed. */
const Bug = z.union([HttpUrl.transform((url) => ({ url })), z.strictObject({ url: HttpUrl, closed: Instant })], {
  error: 'expected an http(s) address, or {url, closed: a UTC date}',
})

const Scope = z.strictObject({
  branches: z.array(Text).min(1).exactOptional(),
  jobs: z.array(Pattern).min(1).exactOptional(),
  clusters: z.array(Text).min(1).exactOptional(),
})

const ChangeBody = {
  at: Instant,
  title: Text,
  link: HttpUrl.exactOptional(),
  dated_by_link: z.boolean().exactOptional(),
  scope: Scope.exactOptional(),
}
const linked = ({ dated_by_link, link }: { dated_by_link?: boolean; link?: string }) =>
  !dated_by_link || link !== undefined
const UNLINKED = { path: ['dated_by_link'], error: 'needs the link that proves the time' }
const ChangeSchema = z.strictObject(ChangeBody).refine(linked, UNLINKED)

const Status = z.union(
  [
    z.literal('active').transform(() => ({ state: 'active' as const })),
    z.strictObject({
      state: z.enum(['active', 'muted', 'retired']),
      until: Instant.exactOptional(),
      reason: Text.exactOptional(),
    }),
  ],
  { error: 'expected `active` or {state: muted or retired, until, reason}' },
)

/** What is said about a signature, and decides none of its hits. */
const Description = {
  id: Id,
  title: Text,
  advice: Text.exactOptional(),
  status: Status.exactOptional(),
  owner: Text.exactOptional(),
  chat: Text.exactOptional(),
  component: Text.exactOptional(),
  blames: z.enum(['infra', 'product', 'test']).exactOptional(),
  bugs: z.array(Bug).exactOptional(),
  changes: z.array(ChangeSchema).default([]),
  replaces: z.array(Id).default([]),
  samples: z
    .strictObject({ match: z.array(z.string()).default([]), no_match: z.array(z.string()).default([]) })
    .default({ match: [], no_match: [] }),
}

export const CauseSchema = z.strictObject({
  id: Id.refine((id) => !RESERVED_CAUSES.includes(id), 'this id is reserved'),
  title: Text,
  regex: Pattern,
})

export const SignatureSchema = z.strictObject({
  ...Description,
  kind: z.enum(['outage', 'per-run']),
  regexes: z.array(Pattern).min(1),
  excludes: z.array(Pattern).default([]),
  exclude_jobs: z.array(Pattern).default([]),
  logs: z.array(z.enum(LOG_KINDS)).default([]),
  causes: z.array(Id).default([]),
  yields_to: z.array(Id).default([]),
  witness: Pattern.exactOptional(),
  clock: z.strictObject({ start: Pattern, every: Duration }).exactOptional(),
  window: Duration.default(ms('30m')),
  max_span: Duration.default(ms('6h')),
})

/** One phase of another signature: everything that decides hits is its parent's. */
export const PartSchema = z.strictObject(
  {
    ...Description,
    part: z.strictObject({ of: Id, causes: z.array(Id).min(1) }),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.join(', ')}: a part takes everything that decides its hits from the signature it is part of`
        : undefined,
  },
)

export const SharedChangeSchema = z.strictObject({ signature: Id, ...ChangeBody }).refine(linked, UNLINKED)

export type CauseEntry = z.output<typeof CauseSchema>
export type SignatureEntry = z.output<typeof SignatureSchema>
export type PartEntry = z.output<typeof PartSchema>
export type SharedChangeEntry = z.output<typeof SharedChangeSchema>
