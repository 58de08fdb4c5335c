import pLimit from 'p-limit'
import { parseRunAddress } from '#lib/deployment/run-address.ts'
import type { Source } from '../source/source.ts'
import type { Scope } from './discovery.ts'
import { listPage, pages } from './pages.ts'
import { parseRunPath, type RunPath } from './run-path.ts'

/** What a ProwJob says of its run: hints, as templates disagree with what lies in the bucket. */
export interface Lead {
  readonly job: string
  readonly buildId: string
  readonly type: string | undefined
  readonly url: string | undefined
  readonly org: string | undefined
  readonly repo: string | undefined
  readonly pull: number | undefined
}

type Place = (lead: Lead, bucketNames: ReadonlySet<string>) => string | undefined

const PULL = 'pr-logs/pull'

/** Places of a run, the likely first (pkg/pod-utils/gcs/target.go in kubernetes-sigs/prow; batches also as bootstrap had them). */
const PLACES: ReadonlyMap<string | undefined, readonly Place[]> = new Map([
  [
    'presubmit',
    [
      told,
      ({ job, buildId, pull, ...lead }) => `${PULL}/${orgRepo(lead)}/${pull}/${job}/${buildId}`,
      ({ job, buildId, pull }) => `${PULL}/${pull}/${job}/${buildId}`,
      ({ job, buildId, pull, repo }) => `${PULL}/${flat(repo)}/${pull}/${job}/${buildId}`,
    ],
  ],
  [
    'batch',
    [
      told,
      ({ job, buildId }) => `${PULL}/batch/${job}/${buildId}`,
      ({ job, buildId, ...lead }) => `${PULL}/${orgRepo(lead)}/batch/${job}/${buildId}`,
      ({ job, buildId, repo }) => `${PULL}/${flat(repo)}/batch/${job}/${buildId}`,
    ],
  ],
])
const OTHER: readonly Place[] = [told, ({ job, buildId }) => `logs/${job}/${buildId}`]

/** In `status.url`, where that is an address of this bucket. */
function told({ url }: Lead, bucketNames: ReadonlySet<string>): string | undefined {
  const address = url === undefined ? undefined : parseRunAddress(url)
  return address && bucketNames.has(address.bucket) ? address.path : undefined
}

/** Gerrit's organisations are addresses, and its repositories paths. */
function orgRepo({ org = '', repo }: Pick<Lead, 'org' | 'repo'>): string {
  return `${org.replace(/^https?:\/\//, '')}_${flat(repo)}`
}

function flat(repo = ''): string {
  return repo.replaceAll('/', '_')
}

const PARALLEL = 8
const KNOWN_BATCH = 500

/** Finds where the runs of ProwJobs lie; nothing is taken for a run's place that is neither known nor in the bucket. */
export class Locator {
  readonly #source: Source
  readonly #bucketNames: ReadonlySet<string>
  readonly #limit = pLimit(PARALLEL)
  /** By job the place that held: asked first from then on. */
  readonly #held = new Map<string, Place>()

  constructor(source: Source, aliases: readonly string[]) {
    this.#source = source
    this.#bucketNames = new Set([source.bucket.replace(/^[a-z]+:\/\//, ''), ...aliases])
  }

  /** Of those leads whose run is there: each with its run. */
  async locate<T extends Lead>(leads: readonly T[], scope: Scope): Promise<Map<T, RunPath>> {
    const found = await this.#known(leads, scope)
    const open = leads.filter((lead) => !found.has(lead))
    const scouts = [...new Map(open.map((lead) => [lead.job, lead])).values()]
    const sent = new Set(scouts)
    for (const group of [scouts, open.filter((lead) => !sent.has(lead))]) await this.#ask(group, found, scope)
    return found
  }

  /** Runs that were read before: nobody is asked where they are. */
  async #known<T extends Lead>(leads: readonly T[], scope: Scope): Promise<Map<T, RunPath>> {
    const found = new Map<T, RunPath>()
    for (let at = 0; at < leads.length; at += KNOWN_BATCH) {
      const places = leads.slice(at, at + KNOWN_BATCH).map((lead) => ({ lead, runs: this.#candidates(lead) }))
      const known = await scope.knownTimes(places.flatMap(({ runs }) => runs.map(({ run }) => run.path)))
      for (const { lead, runs } of places) {
        const held = runs.find(({ run }) => known.has(run.path))
        if (held) found.set(lead, held.run)
      }
    }
    return found
  }

  /** Round by round: the first place of each, then the second of those that are not there. */
  async #ask<T extends Lead>(leads: readonly T[], found: Map<T, RunPath>, scope: Scope): Promise<void> {
    let open = leads.map((lead) => ({ lead, left: this.#candidates(lead) }))
    while (open.length > 0) {
      const asked = open.flatMap(({ lead, left: [next, ...left] }) => (next ? [{ lead, next, left }] : []))
      const present = await this.#present(
        asked.map(({ next }) => next.run),
        scope.signal,
      )
      for (const { lead, next } of asked) {
        if (!present.has(next.run.path)) continue
        found.set(lead, next.run)
        this.#held.set(lead.job, next.place)
      }
      open = asked.filter(({ lead }) => !found.has(lead))
    }
  }

  #candidates(lead: Lead): readonly { place: Place; run: RunPath }[] {
    const held = this.#held.get(lead.job)
    const places = PLACES.get(lead.type) ?? OTHER
    const byPath = new Map<string, { place: Place; run: RunPath }>()
    for (const place of held && places.includes(held) ? [held, ...places] : places) {
      const run = parseRunPath(place(lead, this.#bucketNames) ?? '')
      const isOfLead = run?.job === lead.job && run.buildId === lead.buildId
      if (isOfLead && !byPath.has(run.path)) byPath.set(run.path, { place, run })
    }
    return [...byPath.values()]
  }

  /** Paths of those runs that hold anything: runs side by side are asked for together. */
  async #present(runs: readonly RunPath[], signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
    const groups = Map.groupBy(runs, ({ path, buildId }) => path.slice(0, -buildId.length))
    const asked = [...groups].map(async ([directory, group]) => {
      const ids = [...new Set(group.map((run) => run.buildId))]
      const there = await this.#presentIn(directory, ids, signal)
      return there.map((id) => `${directory}${id}`)
    })
    return new Set((await Promise.all(asked)).flat())
  }

  /** Never more than twice the requests that asking for each alone takes; mostly one, for numbers as long as each other. */
  async #presentIn(directory: string, ids: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
    const alike = new Set(ids.map((id) => id.length)).size === 1
    const range = ids.length > 1 && alike ? [...ids].sort() : []
    const between = await this.#between(directory, range, signal)
    const alone = ids.filter((id) => between.get(id) === undefined)
    const there = await Promise.all(alone.map(async (id) => ((await this.#holds(directory, id, signal)) ? [id] : [])))
    return [...ids.filter((id) => between.get(id)), ...there.flat()]
  }

  /** By one listing over all of them: whether each is there; what the pages did not reach is absent. */
  async #between(directory: string, sorted: readonly string[], signal?: AbortSignal): Promise<Map<string, boolean>> {
    const [first, last] = [sorted[0], sorted.at(-1)]
    if (first === undefined || last === undefined) return new Map()
    // A name goes on with `/`, which sorts right before `0`.
    const query = { prefix: directory, startOffset: `${directory}${first}`, endOffset: `${directory}${last}0` }
    return await this.#limit(async () => {
      const there = new Set<string>()
      let left = sorted.length
      let reached: string | undefined
      for await (const page of pages(this.#source, query, signal)) {
        for (const name of page.prefixes) there.add(name.slice(directory.length, -1))
        reached = page.nextPageToken === undefined ? last : [...there].at(-1)
        if (--left <= 0) break
      }
      return new Map(sorted.filter((id) => reached !== undefined && id <= reached).map((id) => [id, there.has(id)]))
    })
  }

  async #holds(directory: string, id: string, signal?: AbortSignal): Promise<boolean> {
    const page = await this.#limit(() => listPage(this.#source, { prefix: `${directory}${id}/` }, signal))
    return page.objects.length + page.prefixes.length > 0
  }
}
