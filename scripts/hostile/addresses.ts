import type { Operation } from '#lib/api/operation.ts'
import { OPERATIONS } from '#lib/api/operations.ts'

/** Pages that lead to all others. */
export const FIRST = [
  '/',
  '/search?search=needle&maxAge=90d',
  '/status',
  '/coverage',
  '/jobs',
  '/signatures/boskos.heartbeat',
]
export const MORE = [
  '/signatures/new',
  '/feed',
  '/chart?search=needle',
  '/bug/OCPBUGS-1',
  '/config',
  '/metrics',
  '/healthz',
]
export const OTHERS = [
  '/readyz',
  '/chart.png?search=needle',
  '/og?search=needle',
  '/docs/errors.md',
  '/nowhere',
  '/runs/dir/x/y',
]

/** All that the API does. */
export const api = Object.values<Operation>(OPERATIONS)
const OWN = [
  'q',
  'run',
  'log',
  'line',
  'at',
  'yaml',
  'exclude',
  'meet',
  'tally',
  'group',
  'signature',
  'mode',
  'maxMatches',
]
/** Those that any page or operation reads, and some that none does. */
export const PARAMETERS = [
  ...new Set([...api.flatMap(({ query }) => Object.keys(query.shape)), ...OWN, 'maxBytes', 'none']),
]
/** What stands before a name in an address. */
export const PREFIXES = [
  '/runs/dir/bucket/logs/',
  '/api/v1/raw/dir/bucket/',
  '/api/v1/runs/dir/bucket/',
  '/jobs/',
  '/e/',
].concat(['/bug/', '/pr/', '/signatures/', '/_next/static/', '/'])
/** Ways out of a directory. */
export const CLIMBS = ['../', '..%2f', '%2e%2e/', '..\\', '%252e%252e%252f']
  .map((up) => up.repeat(9))
  .concat(['/', '\\'])
