import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Entry, evidencesOf, isCarried, problemsOf } from './entries.ts'
import { MAX_TIME } from './record.ts'
import { exposureHours, rollupParts } from './rollup.ts'
import type { Store } from './store.ts'

const Sums = z.record(z.string(), z.tuple([z.number(), z.number()]))

/** What a store holds, in numbers that two stores of the same content share. */
export const Counts = z.object({
  /** By `result kind of log` (kind `any`: all runs): runs, and decoded bytes of those logs. */
  runs: Sums,
  /** By signature: hits, and the runs that have some. */
  hits: Sums,
  /** By signature: runs in flight, hour by hour summed up, and starts. */
  exposure: Sums,
  incidents: z.number(),
  problems: z.number(),
  /** None in copies of before there was any. */
  evidence: z.number().default(0),
  states: z.number(),
})
export type Counts = z.infer<typeof Counts>

/** Counts entries as they pass. */
export class Tally {
  readonly counts: Counts = { runs: {}, hits: {}, exposure: {}, incidents: 0, problems: 0, evidence: 0, states: 0 }

  add(entry: Entry): void {
    const { runs, hits, exposure } = this.counts
    if ('incidents' in entry) this.counts.incidents += entry.incidents.length
    else if ('problem' in entry) this.counts.problems++
    else if ('evidence' in entry) this.counts.evidence++
    else if ('state' in entry) this.counts.states++
    else {
      const { run, logs, hits: own, exposures } = entry.run
      for (const { kind, bytes } of rollupParts(logs)) addTo(runs, `${run.result} ${kind}`, 1, bytes)
      for (const [signature, all] of Map.groupBy(own, (hit) => hit.signature)) addTo(hits, signature, all.length, 1)
      for (const each of exposures) addTo(exposure, each.signature, exposureHours(each).length, 1)
    }
  }
}

/** What the store itself counts; hours watched of these signatures. */
export async function countsOf(store: Store, signatures: Iterable<string>): Promise<Counts> {
  const counts: Counts = new Tally().counts
  for (const { result, kind, runs, bytes } of await store.rollups({}))
    addTo(counts.runs, `${result} ${kind}`, runs, bytes)
  for (const { signature, hits, runs } of await store.countHits({})) addTo(counts.hits, signature, hits, runs)
  for (const signature of signatures)
    for (const { runs, starts } of await store.exposure(signature, 0, MAX_TIME))
      addTo(counts.exposure, signature, runs, starts)
  for await (const problems of problemsOf(store)) counts.problems += problems.length
  const states = (await store.states()).filter(isCarried)
  for await (const all of evidencesOf(store)) counts.evidence += all.length
  return { ...counts, incidents: (await store.incidents({})).length, states: states.length }
}

/** Runs in all. */
export function runsIn({ runs }: Pick<Counts, 'runs'>): number {
  return Object.entries(runs).reduce((sum, [of, [count]]) => sum + (of.endsWith(' any') ? count : 0), 0)
}

/** Where the two differ, in words; empty where they are the same. */
export function differences(told: Counts, held: Counts): string {
  const parts = Object.keys(told) as (keyof Counts)[]
  return parts
    .filter((part) => !isDeepStrictEqual(told[part], held[part]))
    .map((part) => `${part} ${JSON.stringify(told[part])}, not ${JSON.stringify(held[part])}`)
    .join('; ')
}

function addTo(sums: Counts['runs'], key: string, first: number, second: number): void {
  const [a, b] = sums[key] ?? [0, 0]
  sums[key] = [a + first, b + second]
}
