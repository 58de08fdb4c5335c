import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { refreshIncidents } from '#lib/incident/refresh.ts'
import type { Run } from '#lib/model/run.ts'
import { putIngestState } from '#lib/service/passes.ts'
import type { Catalogue } from '#lib/signature/catalogue.ts'
import type { Database } from '#lib/store/embedded/database.ts'
import { CATALOGUE_FILE, openForWriting } from '#lib/store/embedded/layout.ts'
import { putRun } from '#lib/store/embedded/publish.ts'
import { openStore } from '#lib/store/open.ts'
import { dayOf } from '#lib/store/order.ts'
import { exposedAs, exposureHours } from '#lib/store/rollup.ts'
import { storeRun } from '#lib/testing/stored-run.ts'
import { makeRun, RUNS_A_DAY } from './runs.ts'

/** Runs of one transaction: one each, as the worker writes them, would take a sync each. */
const AT_ONCE = 10_000
/** The newest runs have text, so that a search finds lines in them. */
const WITH_TEXT = 500
export const NEEDLE = 'lease lost after the needle'

export interface FillOptions {
  readonly dataDir: string
  readonly runs: number
  /** The youngest run's end, epoch ms. */
  readonly end: number
  readonly catalogue: Catalogue
  readonly tell: (text: string) => void
}

/**
 * A catalogue of so many runs as the worker leaves it, written through the same code but for fsync. All runs but the
 * newest have no text any more; exposures are there by hour and day, as pages read them, and not run by run.
 */
export async function fill({ dataDir, runs, end, catalogue, tell }: FillOptions): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  const db = openForWriting(join(dataDir, CATALOGUE_FILE), 'catalogue')
  try {
    db.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-400000')
    const watched = new Watched()
    for (let from = runs - 1; from >= WITH_TEXT; from -= AT_ONCE) {
      db.transaction(() => {
        for (let n = from; n > from - AT_ONCE && n >= WITH_TEXT; n--) {
          const { run, logs, hits } = makeRun(n, end, catalogue.signatures)
          const found = { hits, tracks: [], exposures: [] }
          const record = { run, fingerprint: 'f', firstSeen: run.time, logs, ...found }
          putRun(db, record, { file: 0, day: dayOf(run.time), texts: new Map() })
          watched.add(run)
        }
      })
      if (from % RUNS_A_DAY < AT_ONCE) tell(`pages: ${runs - from} of ${runs} runs written`)
    }
    tell('pages: exposures')
    db.transaction(() => watched.write(db, catalogue))
  } finally {
    db.close()
  }
  await addNewest({ dataDir, runs, end, catalogue, tell })
}

async function addNewest({ dataDir, end, catalogue, tell }: FillOptions): Promise<void> {
  const store = await openStore({ dataDir, mode: 'write' })
  for (let n = WITH_TEXT - 1; n >= 0; n--) {
    const { run, hits } = makeRun(n, end, catalogue.signatures)
    await storeRun(store, run, { 'build-log.txt': Buffer.from(`${'ok\n'.repeat(50)}${NEEDLE} ${n}\n`) }, hits)
  }
  tell('pages: incidents')
  await refreshIncidents(store, catalogue)
  await putIngestState(store, {
    bucket: 'gs://pages',
    passStartedAt: end - 60_000,
    passFinishedAt: end,
    completeTo: end - 3 * 3_600_000,
    done: 0,
    total: 0,
  })
  await store.close()
}

/** What the runs add to hours watched and exposed runs, the same for every signature. */
class Watched {
  readonly #hours = new Map<number, [runs: number, starts: number]>()
  readonly #exposed = new Map<string, number>()

  add(run: Run): void {
    const { startedAt = run.time, finishedAt = run.time } = run
    for (const [i, hour] of exposureHours({ from: startedAt, to: finishedAt }).entries()) {
      const [runs, starts] = this.#hours.get(hour) ?? [0, 0]
      this.#hours.set(hour, [runs + 1, starts + (i === 0 ? 1 : 0)])
    }
    const { job, type, result, cluster, branch } = exposedAs(run)
    const key = JSON.stringify([dayOf(run.time), job, type, result, cluster, branch])
    this.#exposed.set(key, (this.#exposed.get(key) ?? 0) + 1)
  }

  write(db: Database, { signatures }: Catalogue): void {
    const exposed = [...this.#exposed].map(([key, runs]) => [JSON.parse(key) as string[], runs] as const)
    for (const { id, kind, witness } of signatures) {
      for (const [hour, [runs, starts]] of this.#hours)
        db.run('INSERT INTO exposure_hours VALUES (?, ?, ?, ?)', id, hour, runs, starts)
      // Of others no page asks for more than the hours.
      if (kind === 'outage' && witness === undefined) continue
      for (const [key, runs] of exposed)
        db.run('INSERT INTO exposed_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)', id, ...key, runs)
    }
  }
}
