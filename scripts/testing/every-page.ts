import { z } from 'zod'

/** Asks the app under test, which has read the sample bucket. */
export interface Asking {
  readonly get: (path: string) => Promise<unknown>
  readonly post: (path: string, body: string) => Promise<unknown>
}

const Signature = z.object({
  incidents: z.array(
    z.object({
      id: z.string(),
      pulls: z.array(z.string()),
      runs: z.array(z.object({ bucket: z.string(), path: z.string(), job: z.string() })),
    }),
  ),
})
const Coverage = z.object({ unexplained: z.object({ groups: z.array(z.object({ id: z.string() })) }) })
const Frozen = z.object({ evidence: z.object({ id: z.string() }) })

/** As far back as the last incident: what a page of months adds is more of the same, and all of it is looked at. */
const SEARCH = 'search=boskos.ci.*EOF&maxAge=60d'

/** An address of every page, and of the states of search that look different. */
export const EVERY_PAGE = [
  'triage',
  'signature',
  'edit',
  'new signature',
  'incident',
  'search',
  'search by run',
  'search tally',
  'search error',
  'search none',
  'chart',
  'run',
  'job',
  'coverage',
  'group',
  'pull',
  'bug',
  'evidence',
  'status',
  'missing',
] as const
export type EveryPage = (typeof EVERY_PAGE)[number]

export async function everyPage({ get, post }: Asking): Promise<Readonly<Record<EveryPage, string>>> {
  const { incidents } = Signature.parse(await get('/api/v1/signatures/boskos.heartbeat'))
  const { unexplained } = Coverage.parse(await get('/api/v1/coverage?days=90'))
  const { evidence } = Frozen.parse(await post('/api/v1/evidence', JSON.stringify({ query: SEARCH })))
  const incident = incidents.at(-1)
  const run = incident?.runs[0]
  const pull = incidents.flatMap(({ pulls }) => pulls).at(-1)
  const [group] = unexplained.groups
  if (!incident || !run || !pull || !group) throw new Error('the sample bucket has not been read')
  const search = `/search?${SEARCH}`
  return {
    triage: '/',
    signature: '/signatures/boskos.heartbeat',
    edit: '/signatures/boskos.heartbeat/edit',
    'new signature': '/signatures/new',
    incident: `/incidents/${incident.id}`,
    search,
    'search by run': `${search}&search=no+route&meet=all&groupBy=run`,
    'search tally': '/search?search=dial+tcp+%28%5CS%2B%29&maxAge=60d&tally=run',
    'search error': '/search?search=lease+%28lost',
    'search none': '/search?search=no+such+text&name=aws',
    chart: '/chart?search=boskos.ci.*EOF&search=no+route&maxAge=720h&name=',
    run: `/runs/${run.bucket.replace('://', '/')}/${run.path}`,
    job: `/jobs/${run.job}`,
    coverage: '/coverage?days=30',
    group: `/groups/${group.id}?days=90`,
    pull: `/pr/${pull.replace('#', '/')}`,
    bug: '/bug/bz1750890',
    evidence: `/e/${evidence.id}`,
    status: '/status',
    missing: '/no/such/page',
  }
}
