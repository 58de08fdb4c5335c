import { z } from 'zod'
import { hasElasticsearch, NO_ELASTICSEARCH } from '#lib/testing/elasticsearch.ts'
import { fakeGcsBinary } from '#lib/testing/fake-gcs.ts'

/** A heavy check of one's own that writes its figures as JSON, and ends with 0 where its promises hold. */
export interface NightlyStep {
  readonly name: string
  readonly args: (of: NightlyOptions) => readonly string[]
  /** Skipped by name where this says why. */
  readonly skipped?: () => string | undefined
  /** The figures in one line of words. */
  readonly told: (figures: unknown) => string
}

export interface NightlyOptions {
  /** Each load, and the soak thrice as long. */
  readonly minutes: number
  readonly kills: number
  /** Of the sample bucket that killed workers read, 0 to 1. */
  readonly scale: number
}

const Load = z.object({
  readers: z.number(),
  minutes: z.number(),
  load: z.number(),
  pages: z.record(z.string(), z.object({ answers: z.number(), p95: z.number() })),
  burst: z.record(z.string(), z.object({ answers: z.number(), byStatus: z.record(z.string(), z.number()) })),
  memory: z.record(z.string(), z.object({ slope: z.number(), most: z.number() })),
  runs: z.object({ there: z.number(), read: z.number() }),
  bad: z.number(),
})
const Soak = z.object({
  runs: z.number(),
  requests: z.number(),
  faults: z.record(z.string(), z.number()),
  same: z.boolean(),
  memory: z.object({ middle: z.number(), last: z.number() }),
})
const Kills = z.object({
  kills: z.number(),
  directories: z.number(),
  different: z.number(),
  faults: z.array(z.string()),
})
const ServerKills = z.object({
  ...{ kills: z.number(), cutOff: z.number(), frozen: z.number(), lost: z.number(), different: z.number() },
  faults: z.array(z.string()),
})
const Phase = z.object({ answers: z.number(), failed: z.number(), p95: z.number() })
const Hostile = z.object({
  workerMiB: z.number(),
  heapMiB: z.number(),
  attackers: z.number(),
  alone: Phase,
  beside: Phase,
})
const Mutations = z.object({ noticed: z.number(), of: z.number() })

/** Short ones first. */
export const STEPS: readonly NightlyStep[] = [
  {
    name: 'mutations',
    args: () => ['scripts/mutations.ts'],
    told: (figures) => {
      const { noticed, of } = Mutations.parse(figures)
      return `${noticed} of ${of} broken invariants noticed`
    },
  },
  {
    name: 'kills of the server',
    args: ({ kills }) => ['scripts/kills.ts', '--server', '--kills', String(Math.ceil(kills / 10))],
    told: (figures) => {
      const { kills, cutOff, frozen, lost, different, faults } = ServerKills.parse(figures)
      return `${kills} kills cut off ${cutOff} requests; ${lost} of ${frozen} evidence lost, ${different} answers differ, ${faults.length} faults`
    },
  },
  {
    name: 'kills of the worker',
    args: ({ kills, scale }) => ['scripts/kills.ts', '--kills', String(kills), '--scale', String(scale)],
    told: (figures) => {
      const { kills, directories, different, faults } = Kills.parse(figures)
      return `${kills} kills, ${different} of ${directories} directories differ, ${faults.length} faults`
    },
  },
  {
    name: 'hostile logs and patterns',
    args: () => ['scripts/hostile.ts'],
    told: (figures) => {
      const { workerMiB, heapMiB, attackers, alone, beside } = Hostile.parse(figures)
      return `worker ${workerMiB.toFixed(0)} MiB at most of a heap of ${heapMiB}; readers' p95 ${alone.p95} ms alone, ${beside.p95} ms beside ${attackers} who send patterns without end, ${alone.failed + beside.failed} errors`
    },
  },
  {
    name: 'load, embedded',
    args: ({ minutes }) => ['scripts/load.ts', '--minutes', String(minutes)],
    told: toldLoad,
  },
  {
    name: 'load, Elasticsearch that goes away',
    args: ({ minutes }) => ['scripts/load.ts', '--minutes', String(minutes), '--elasticsearch'],
    skipped: () => (hasElasticsearch() ? undefined : NO_ELASTICSEARCH),
    told: toldLoad,
  },
  {
    name: 'faults of the bucket (soak)',
    args: ({ minutes }) => ['scripts/soak.ts', '--minutes', String(minutes * 3)],
    skipped: () =>
      fakeGcsBinary() === undefined ? 'fake-gcs-server is missing; install Go, or the binary' : undefined,
    told: (figures) => {
      const { runs, requests, faults, same, memory } = Soak.parse(figures)
      const injected = Object.values(faults).reduce((sum, n) => sum + n, 0)
      return `${runs} runs, ${injected} faults in ${requests} requests, catalogue ${same ? 'the same' : 'DIFFERS'}; memory ${memory.middle.toFixed(0)} → ${memory.last.toFixed(0)} MiB`
    },
  },
]

function toldLoad(figures: unknown): string {
  const { readers, minutes, load, pages, burst, memory, runs, bad } = Load.parse(figures)
  const times = Object.entries(pages).map(([name, { p95 }]) => `${name} ${p95}`)
  const bursts = Object.values(burst).map(({ answers, byStatus }) => `burst of ${answers}: ${JSON.stringify(byStatus)}`)
  const slopes = Object.entries(memory).map(([name, { slope }]) => `${name} ${slope.toFixed(2)}`)
  return `${readers} readers, ${minutes} min, load average ${load.toFixed(1)}: ${bad} errors, ${runs.read} of ${runs.there} runs read; p95 in ms: ${times.join(', ')}; ${bursts.join('; ')}; memory in MiB a minute: ${slopes.join(', ')}`
}
