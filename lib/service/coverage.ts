import { max } from 'd3-array'
import { ProwlError } from '../errors.ts'
import type { Incident } from '../model/incident.ts'
import type { RunType } from '../model/run.ts'
import type { Signature } from '../model/signature.ts'
import { dayOf } from '../store/order.ts'
import type { Rollup } from '../store/store.ts'
import { type Coverage, type CoveredType, coverageOf, type DiedRun, diedRuns, type Killed } from '../triage/coverage.ts'
import type { Context, StoredContext } from './context.ts'
import { kept } from './memo.ts'

const DAY = 86_400_000
/** A run ends this long after what it died of began, at most. */
const LONGEST_RUN_MS = 2 * DAY
export const COVERAGE_DAYS = 14
export const MOST_DAYS = 90

const TYPES: readonly (readonly [CoveredType, readonly RunType[]])[] = [
  ['periodic', ['periodic']],
  ['presubmit', ['presubmit']],
  ['others', ['postsubmit', 'batch']],
]

/** Whole UTC days up to today's, so far. */
export interface Window {
  readonly days: number
  /** Epoch ms; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

export interface CoverageView extends Omit<Coverage, 'signatures'> {
  readonly window: Window
  readonly signatures: readonly (Killed & Pick<Signature, 'title' | 'blames'>)[]
}

/** What of the failed runs is known, before words. */
export interface CoverageData {
  readonly window: Window
  readonly coverage: Coverage
  readonly died: ReadonlyMap<string, DiedRun>
}

/** Of the last `days` UTC days, how many failed runs died of a known failure. */
export async function coverageView(ctx: Context, days = COVERAGE_DAYS): Promise<CoverageView> {
  const [{ window, coverage }, { signatures }] = await Promise.all([coverageData(ctx, days), ctx.catalogue()])
  const named = new Map(signatures.map((signature) => [signature.id, signature]))
  return {
    window,
    ...coverage,
    signatures: coverage.signatures.map((killed) => {
      const { title = killed.signature, blames } = named.get(killed.signature) ?? {}
      return { ...killed, title, ...(blames && { blames }) }
    }),
  }
}

export async function coverageData(ctx: StoredContext, days = COVERAGE_DAYS): Promise<CoverageData> {
  return await kept(ctx, `coverage ${days}`, () => addUp(ctx, days))
}

async function addUp(ctx: StoredContext, days: number): Promise<CoverageData> {
  const window = windowOf(ctx.now(), days)
  const [{ signatures }, rollups] = await Promise.all([ctx.catalogue(), rollupsByType(ctx, window)])
  const died = diedRuns(await incidentsOf(ctx, signatures, window), signatures, window)
  const names = Array.from({ length: days }, (_, i) => dayOf(window.from + i * DAY))
  return { window, died, coverage: coverageOf({ days: names, rollups, died, signatures }) }
}

/** How many days a parameter asks for. Throws QUERY_INVALID. */
export function parseDays(text: string | undefined): number {
  if (text === undefined || text === '') return COVERAGE_DAYS
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (days >= 1 && days <= MOST_DAYS) return days
  throw new ProwlError('QUERY_INVALID', `days: must be a number from 1 to ${MOST_DAYS}`)
}

function windowOf(now: number, days: number): Window {
  const today = Math.floor(now / DAY) * DAY
  return { days, from: today - (days - 1) * DAY, to: now + 1 }
}

async function rollupsByType({ store }: StoredContext, { from, to }: Window) {
  const results = ['failure', 'error', 'aborted', 'lost'] as const
  return await Promise.all(
    TYPES.map(async ([name, types]): Promise<readonly [CoveredType, readonly Rollup[]]> => {
      return [name, await store.rollups({ from, to, types, results })]
    }),
  )
}

/** Those that may have killed a run of the window: they began before it ended. */
async function incidentsOf(
  { store }: StoredContext,
  signatures: readonly Signature[],
  { from, to }: Window,
): Promise<readonly Incident[]> {
  const longest = max(signatures, ({ maxSpanMs }) => maxSpanMs) ?? 0
  return await store.incidents({ from: from - longest - LONGEST_RUN_MS, to })
}
