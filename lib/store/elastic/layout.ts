import type { Client, estypes } from '@elastic/elasticsearch'
import { ProwlError } from '../../errors.ts'
import { LOG_KINDS } from '../../model/run.ts'
import { hasStatus, isThereAlready } from './connect.ts'

/** Version of what the indices hold, kept in the `_meta` of each of them and of their templates. */
export const LAYOUT = 2

type Mapping = estypes.MappingTypeMapping
type Property = estypes.MappingProperty

const word: Property = { type: 'keyword' }
/** Found by, never sorted or counted by. */
const term: Property = { type: 'keyword', doc_values: false }
/** Sorted by, never looked up: a range over it is checked document by document, not term by term. */
const place: Property = { type: 'keyword', index: false }
const whole: Property = { type: 'long' }
/** Times that need not be whole. */
const moment: Property = { type: 'double' }
const sorted: Property = { type: 'integer', index: false }

function nested(properties: Record<string, Property>): Property {
  return { type: 'nested', dynamic: false, properties }
}

/**
 * One document a run, with all that publishing it makes visible: so that it is one moment. Its tracks are a document of
 * their own that it names (they may be large), its text the blocks of its version.
 */
const RUNS: Record<string, Property> = {
  ...{ bucket: word, path: place, time: whole, date: word },
  ...{ job: word, build_id: term, type: word, result: word, pulls: term, signatures: term },
  ...{ cluster: word, branch: word, failure: word },
  ...{
    version: term,
    generation: term,
    logs: { type: 'object', enabled: false },
    run: { type: 'object', enabled: false },
  },
  bytes: { properties: Object.fromEntries(['any', ...LOG_KINDS].map((kind) => [kind, whole])) },
  ...{ log_count: whole, truncated: whole, broken: whole, hit_count: whole },
  hits: nested({ signature: word, placed: { properties: { latest: moment } } }),
  exposures: nested({ signature: term, hours: whole, start: whole }),
}

/** A block's grams are its only index; its compressed bytes are a stored field. Neither is kept in the source besides. */
const BLOCKS: Mapping = {
  _source: { excludes: ['grams', 'bytes'] },
  properties: {
    ...{ version: term, bucket: word, path: place, time: whole, log: place, last_line: { type: 'integer' }, n: sorted },
    ...{ first_line: { type: 'integer', doc_values: false }, kind: term },
    ...{ job: term, build_id: term, type: term, result: term, pulls: term },
    grams: { type: 'keyword', doc_values: false, norms: false, index_options: 'docs' },
    bytes: { type: 'binary', store: true },
  },
}

const BY_HAND = { refresh_interval: '-1' }

interface Kind {
  readonly mappings: Mapping
  readonly settings?: estypes.IndicesIndexSettings
}

/** What there is one index of. */
const FIXED = {
  runs: {
    mappings: { properties: RUNS },
    // A run may have more hits than the default allows nested documents.
    settings: { 'index.mapping.nested_objects.limit': 100_000 },
  },
  tracks: { mappings: { enabled: false }, settings: BY_HAND },
  incidents: {
    mappings: {
      properties: { signature: word, id: word, names: term, at: moment, record: { type: 'object', enabled: false } },
    },
    settings: BY_HAND,
  },
  state: { mappings: { properties: { kind: term, at: moment, bucket: word, path: place } } },
  evidence: {
    mappings: { properties: { at: moment, bucket: word, path: place, signatures: term, bugs: term } },
  },
} satisfies Record<string, Kind>

/** Came within a layout: clusters from before lack it until a worker has made it. */
const LATER: readonly string[] = ['evidence']

const KINDS: Record<string, Kind> = { ...FIXED, blocks: { mappings: BLOCKS, settings: BY_HAND } }

/** Names of the indices below a prefix. */
export interface Names {
  readonly runs: string
  readonly tracks: string
  readonly incidents: string
  readonly state: string
  readonly evidence: string
  /** Of a day's blocks. */
  blocks(day: string): string
}

export function namesOf(prefix: string): Names {
  const fixed = Object.fromEntries(Object.keys(FIXED).map((kind) => [kind, `${prefix}-${kind}`]))
  return { ...(fixed as Omit<Names, 'blocks'>), blocks: (day) => `${prefix}-blocks-${day.replaceAll('-', '.')}` }
}

/** The indices of blocks that there are. */
export async function blockIndices(client: Client, prefix: string): Promise<string[]> {
  const found = await client.indices.getMapping({ index: `${prefix}-blocks-*` })
  return Object.keys(found).filter((name) => /-\d{4}\.\d{2}\.\d{2}$/.test(name))
}

/**
 * Whether a store is there: `whole`, or `usable` without what came later. Throws STORE_LAYOUT, before anything is touched, where an index of these names is not prowl's,
 * or of a newer layout.
 */
export async function checkIndices(client: Client, prefix: string): Promise<'whole' | 'usable' | 'none'> {
  const fixed = Object.keys(FIXED).map((kind) => `${prefix}-${kind}`)
  const index = [...fixed, `${prefix}-blocks-*`]
  const mappings = await client.indices.getMapping({ index, ignore_unavailable: true })
  for (const [name, { mappings: of }] of Object.entries(mappings)) refuseOther(name, of._meta)
  const missing = Object.keys(FIXED).filter((kind) => !(`${prefix}-${kind}` in mappings))
  if (missing.length === 0) return 'whole'
  return missing.every((kind) => LATER.includes(kind)) ? 'usable' : 'none'
}

/** Throws STORE_LAYOUT, as checkIndices does, for the templates: of use to who makes indices only. */
export async function checkTemplates(client: Client, prefix: string): Promise<void> {
  const found = await client.indices.getIndexTemplate({ name: `${prefix}-*` }).catch((error: unknown) => {
    if (hasStatus(error, 404)) return { index_templates: [] }
    throw error
  })
  const ours = templatesOf(prefix)
  for (const { name, index_template } of found.index_templates)
    if (name in ours) refuseOther(name, index_template._meta)
}

function refuseOther(name: string, meta: Record<string, unknown> | undefined): void {
  const layout = meta?.prowl
  if (typeof layout !== 'number')
    throw new ProwlError('STORE_LAYOUT', `${name} is not prowl's; set another ELASTICSEARCH_PREFIX`)
  if (layout > LAYOUT)
    throw new ProwlError(
      'STORE_LAYOUT',
      `${name} was written by a newer prowl (layout ${layout}, this one knows ${LAYOUT}); start that one, or set another ELASTICSEARCH_PREFIX`,
    )
}

function templatesOf(prefix: string) {
  const _meta = { prowl: LAYOUT }
  return Object.fromEntries(
    Object.entries(KINDS).map(([kind, { mappings, settings }]) => {
      const name = `${prefix}-${kind}`
      const template = {
        settings: { number_of_shards: 1, auto_expand_replicas: '0-1', ...settings },
        mappings: { dynamic: false as const, ...mappings, _meta },
      }
      return [
        name,
        { index_patterns: [kind === 'blocks' ? `${name}-*` : name], priority: 500, version: LAYOUT, _meta, template },
      ]
    }),
  )
}

/** Whether the runs' index is of an older layout. */
export async function isOlder(client: Client, { runs }: Pick<Names, 'runs'>): Promise<boolean> {
  const { [runs]: index } = await client.indices.getMapping({ index: runs })
  return Number(index?.mappings._meta?.prowl) < LAYOUT
}

/** Adds the fields that a run's document has by this layout: none is ever taken away. */
export async function addRunFields(client: Client, { runs }: Pick<Names, 'runs'>): Promise<void> {
  await client.indices.putMapping({ index: runs, properties: RUNS })
}

/** Says that the runs' index is of this layout; the other indices are as they were. */
export async function markLayout(client: Client, prefix: string): Promise<void> {
  await makeLayout(client, prefix)
  await client.indices.putMapping({ index: namesOf(prefix).runs, _meta: { prowl: LAYOUT } })
}

/** Makes templates and indices that are not there yet. */
export async function makeLayout(client: Client, prefix: string): Promise<void> {
  const templates = Object.entries(templatesOf(prefix))
  await Promise.all(templates.map(([name, template]) => client.indices.putIndexTemplate({ name, ...template })))
  await Promise.all(Object.keys(FIXED).map((kind) => makeIndex(client, `${prefix}-${kind}`)))
}

async function makeIndex(client: Client, index: string): Promise<void> {
  await client.indices.create({ index }).catch((error: unknown) => {
    if (!isThereAlready(error)) throw error
  })
}
