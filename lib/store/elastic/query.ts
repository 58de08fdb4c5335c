import type { Plan } from '../../model/plan.ts'
import { pullName } from '../record.ts'
import type { CandidateFilter, FailureFilter, OrderKey, RunFilter } from '../store.ts'
import type { Order, Query } from './cluster.ts'
import { gramTerm } from './terms.ts'

/** Conditions on documents of runs; those of blocks have the same fields. */
export function runClauses({ from, to, bucket, jobs, results, types, buildId, pull }: RunFilter): Query[] {
  const range = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) }
  return [
    ...(from === undefined && to === undefined ? [] : [{ range: { time: range } }]),
    ...one('bucket', bucket),
    ...one('build_id', buildId),
    ...one('pulls', pull && pullName(pull)),
    ...any('job', jobs),
    ...any('result', results),
    ...any('type', types),
  ]
}

export function failureClauses({ failures, ...filter }: FailureFilter): Query[] {
  return [...runClauses(filter), ...any('failure', failures)]
}

export function blockClauses({ kinds, plan, ...filter }: CandidateFilter): Query[] {
  return [...runClauses(filter), ...any('kind', kinds), ...(plan ? [planQuery(plan)] : [])]
}

export function one(field: string, value: string | undefined): Query[] {
  return value === undefined ? [] : [{ term: { [field]: value } }]
}

function any(field: string, values: readonly string[] | undefined): Query[] {
  return values === undefined ? [] : [{ terms: { [field]: [...values] } }]
}

export function all(clauses: readonly Query[]): Query {
  return { bool: { filter: [...clauses] } }
}

function either(clauses: readonly Query[]): Query {
  return { bool: { should: [...clauses], minimum_should_match: 1 } }
}

/** Blocks whose grams satisfy the plan. */
export function planQuery(plan: Plan): Query {
  switch (plan.kind) {
    case 'all':
      return { match_all: {} }
    case 'none':
      return { match_none: {} }
    case 'gram':
      return { term: { grams: gramTerm(plan.gram) } }
    case 'and':
      return all(plan.of.map(planQuery))
    case 'or': {
      const grams = plan.of.flatMap((part) => (part.kind === 'gram' ? [gramTerm(part.gram)] : []))
      const others = plan.of.filter((part) => part.kind !== 'gram').map(planQuery)
      return either([...(grams.length > 0 ? [{ terms: { grams } }] : []), ...others])
    }
  }
}

/** The total order of runs, and of what is in them. */
const RUN_FIELDS = ['time', 'bucket', 'path'] as const
const BLOCK_FIELDS = [...RUN_FIELDS, 'log', 'last_line'] as const
type Field = (typeof BLOCK_FIELDS)[number] | 'at'

function sortBy(fields: readonly (Field | 'n')[]): Order {
  return fields.map((field) => ({ [field]: field === 'time' ? 'desc' : 'asc' }))
}
export const RUN_SORT = sortBy(RUN_FIELDS)
export const BLOCK_SORT = sortBy([...BLOCK_FIELDS, 'n'])

function levels(
  { time, bucket, path, log, line }: OrderKey,
  timeField: 'time' | 'at' = 'time',
): [Field, string | number][] {
  return [
    [timeField, time],
    ['bucket', bucket],
    ['path', path],
    ...(log === undefined ? [] : ([['log', log]] as [Field, string][])),
    ...(log === undefined || line === undefined ? [] : ([['last_line', line]] as [Field, number][])),
  ]
}

/** Blocks that end after the key. */
export function blocksAfter(key: OrderKey): Query {
  return either(beyond(levels(key), 1))
}

/** Blocks that end at the key or before it. */
export function blocksUpTo(key: OrderKey): Query {
  return either([...beyond(levels(key), -1), all(equal(levels(key)))])
}

/** Runs that have something after the key; with `at`, problems. */
export function runsAfter({ time, bucket, path, log }: OrderKey, timeField: 'time' | 'at' = 'time'): Query {
  const key = levels({ time, bucket, path }, timeField)
  return either([...beyond(key, 1), ...(log === undefined ? [] : [all(equal(key))])])
}

function beyond(key: readonly [Field, string | number][], sign: 1 | -1): Query[] {
  return key.map(([field, value], i) => {
    const greater = (i === 0) === sign < 0
    return all([...equal(key.slice(0, i)), { range: { [field]: { [greater ? 'gt' : 'lt']: value } } }])
  })
}

function equal(key: readonly [Field, string | number][]): Query[] {
  return key.map(([field, value]) => ({ term: { [field]: value } }))
}
