import type { Exposure } from '../../model/hit.ts'
import type { Log, Run } from '../../model/run.ts'
import { dayOf } from '../order.ts'
import { exposedAs, exposureHours, rollupParts } from '../rollup.ts'
import type { Database } from './database.ts'

/** The tables of sums that runs have shares in. A row that no run has a share in, whose `runs` are 0, is no more. */
export const SUMS = {
  rollups: {
    key: ['day', 'job', 'bucket', 'type', 'result', 'kind'],
    values: ['runs', 'logs', 'bytes', 'truncated', 'broken'],
  },
  exposure_hours: { key: ['signature', 'hour'], values: ['runs', 'starts'] },
  exposed_runs: { key: ['signature', 'day', 'job', 'type', 'result', 'cluster', 'branch'], values: ['runs'] },
} as const
export type SumTable = keyof typeof SUMS

/** What a run adds to one row: key and values as SUMS names them. */
export interface Share {
  readonly table: SumTable
  readonly key: readonly (string | number)[]
  readonly values: readonly number[]
}

export function sharesOf(run: Run, logs: readonly Log[], exposures: readonly Exposure[]): Share[] {
  const key = [dayOf(run.time), run.job, run.bucket, run.type, run.result]
  const rollups = rollupParts(logs).map(({ kind, logs: count, bytes, truncated, broken }): Share => {
    return { table: 'rollups', key: [...key, kind], values: [1, count, bytes, truncated, broken] }
  })
  return [...rollups, ...exposureShares(run, exposures)]
}

export function exposureShares(run: Run, exposures: readonly Exposure[]): Share[] {
  const { job, type, result, cluster, branch } = exposedAs(run)
  const signatures = [...new Set(exposures.map(({ signature }) => signature))]
  const exposed = signatures.map((signature): Share => {
    return { table: 'exposed_runs', key: [signature, dayOf(run.time), job, type, result, cluster, branch], values: [1] }
  })
  const hours = exposures.flatMap((exposure) =>
    exposureHours(exposure).map((hour, i): Share => {
      return { table: 'exposure_hours', key: [exposure.signature, hour], values: [1, i === 0 ? 1 : 0] }
    }),
  )
  return [...exposed, ...hours]
}

/** Decoded bytes of a run's logs, which its day file counts. */
export function bytesOf(logs: readonly Log[]): number {
  return logs.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Adds shares to the sums, or with −1 takes them away. */
export function addShares(catalogue: Database, shares: readonly Share[], sign: 1 | -1): void {
  for (const { table, key, values } of shares) {
    catalogue.run(SQL[table].add, ...key, ...values.map((value) => sign * value))
    if (sign < 0) catalogue.run(SQL[table].drop, ...key)
  }
}

const SQL = Object.fromEntries(
  Object.entries(SUMS).map(([table, { key, values }]) => {
    const places = [...key, ...values].map(() => '?').join(', ')
    const added = values.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')
    return [
      table,
      {
        add: `INSERT INTO ${table}(${[...key, ...values].join(', ')}) VALUES (${places}) ON CONFLICT DO UPDATE SET ${added}`,
        drop: `DELETE FROM ${table} WHERE ${key.map((name) => `${name} = ?`).join(' AND ')} AND runs = 0`,
      },
    ]
  }),
) as Record<SumTable, { readonly add: string; readonly drop: string }>
