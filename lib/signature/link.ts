import type { Cause, Signature } from '../model/signature.ts'
import type { CatalogueProblem } from './catalogue.ts'
import { checkSignature, type Fault, patternProblem } from './check.ts'
import { definitionOf } from './definition.ts'
import type { Entry } from './document.ts'
import type { CauseEntry, PartEntry, SharedChangeEntry, SignatureEntry } from './schema.ts'

/** Ties entries of all files together: causes, parts, changes and what yields to what. */
export class Linker {
  readonly signatures = new Map<string, Signature>()
  readonly problems: CatalogueProblem[] = []
  readonly #causes = new Map<string, Cause>()
  readonly #changes = new Map<string, SharedChangeEntry[]>()
  readonly #seen = new Map<string, Entry<unknown>>()
  readonly #namedCauses: ReadonlySet<string>
  readonly #namedSignatures: ReadonlySet<string>

  constructor(namedCauses: ReadonlySet<string>, namedSignatures: ReadonlySet<string>) {
    this.#namedCauses = namedCauses
    this.#namedSignatures = namedSignatures
  }

  /** Notes a signature whose id an earlier one has. */
  isFirst(entry: Entry<SignatureEntry | PartEntry>): boolean {
    const { id } = entry.value
    const earlier = this.#seen.get(id)
    if (earlier) this.#note(entry, ['id'], `\`${id}\` is already defined at ${placeOf(earlier)}`, id)
    else this.#seen.set(id, entry)
    return !earlier
  }

  addCause(entry: Entry<CauseEntry>): void {
    const { id, regex } = entry.value
    const problem = patternProblem(regex)
    if (this.#causes.has(id)) this.#note(entry, ['id'], `cause \`${id}\` is defined twice`)
    else if (problem) this.#note(entry, ['regex'], `cause \`${id}\`: ${problem}`)
    else this.#causes.set(id, entry.value)
  }

  addChanges(entries: readonly Entry<SharedChangeEntry>[]): void {
    for (const entry of entries) {
      const { signature } = entry.value
      if (!this.#namedSignatures.has(signature)) {
        this.#note(entry, ['signature'], `a change of \`${signature}\`, which no file defines`, signature)
        continue
      }
      this.#changes.set(signature, [...(this.#changes.get(signature) ?? []), entry.value])
    }
  }

  addSignature(entry: Entry<SignatureEntry>): void {
    const { value } = entry
    const missing = [
      ...value.causes.flatMap((id, index) => this.#missingCause(id, ['causes', index])),
      ...this.#unknownSignatures(value.yields_to),
    ]
    const { causes, yields_to, regexes, excludes, exclude_jobs, logs, witness, clock, kind, window, max_span } = value
    this.#publish(
      entry,
      {
        bugs: [],
        ...describe(entry),
        kind,
        regexes,
        excludes,
        excludeJobs: exclude_jobs,
        logs,
        causes: causes.flatMap((id) => this.#causes.get(id) ?? []),
        yieldsTo: yields_to,
        ...(witness !== undefined && { witness }),
        ...(clock && { clock: { start: clock.start, everySeconds: clock.every / 1000 } }),
        windowMs: window,
        maxSpanMs: max_span,
        status: value.status ?? { state: 'active' },
        changes: this.#changesOf(value),
      },
      missing,
    )
  }

  addPart(entry: Entry<PartEntry>): void {
    const { value } = entry
    const parent = this.signatures.get(value.part.of)
    if (!parent || parent.part) {
      const why = parent ? 'is itself a part' : this.#namedSignatures.has(value.part.of) ? 'is in error' : 'is unknown'
      this.#note(entry, ['part', 'of'], `part of \`${value.part.of}\`, which ${why}`, value.id)
      return
    }
    const strange = value.part.causes.flatMap((id, index): Fault[] =>
      parent.causes.some((cause) => cause.id === id)
        ? []
        : [{ path: ['part', 'causes', index], message: `\`${parent.id}\` has no cause \`${id}\`` }],
    )
    const changes = [...parent.changes, ...this.#changesOf(value)].sort((a, b) => a.at - b.at)
    this.#publish(
      entry,
      {
        ...parent,
        ...describe(entry),
        causes: parent.causes.filter((cause) => value.part.causes.includes(cause.id)),
        part: value.part,
        changes,
      },
      strange,
    )
  }

  #publish(entry: Entry<SignatureEntry | PartEntry>, draft: Omit<Signature, 'definition'>, faults: readonly Fault[]) {
    const signature = { ...draft, definition: definitionOf(draft) }
    const all = faults.length > 0 ? faults : checkSignature(signature)
    for (const { path, message } of all) this.#note(entry, path, message, signature.id)
    if (all.length === 0) this.signatures.set(signature.id, signature)
  }

  #missingCause(id: string, path: readonly PropertyKey[]): Fault[] {
    if (this.#causes.has(id)) return []
    return [{ path, message: `cause \`${id}\` is ${this.#namedCauses.has(id) ? 'in error' : 'unknown'}` }]
  }

  #unknownSignatures(ids: readonly string[]): Fault[] {
    return ids.flatMap((id, index) =>
      this.#namedSignatures.has(id) ? [] : [{ path: ['yields_to', index], message: `signature \`${id}\` is unknown` }],
    )
  }

  #changesOf({ id, changes }: SignatureEntry | PartEntry) {
    const shared = (this.#changes.get(id) ?? []).map(({ signature: _, ...change }) => change)
    return [...changes, ...shared]
      .map(({ dated_by_link, ...change }) => ({ ...change, ...(dated_by_link && { datedByLink: true as const }) }))
      .sort((a, b) => a.at - b.at)
  }

  #note(entry: Entry<unknown>, path: readonly PropertyKey[], message: string, signature?: string): void {
    this.problems.push({ file: entry.file, line: entry.line(...path), ...(signature && { signature }), message })
  }
}

/** What an entry says for its readers, besides its hits; a part inherits the rest. */
function describe(entry: Entry<SignatureEntry | PartEntry>) {
  const { id, title, advice, status, owner, chat, component, blames, bugs, replaces, samples } = entry.value
  return {
    id,
    title,
    replaces,
    samples: { match: samples.match, noMatch: samples.no_match },
    source: { file: entry.file, line: entry.line() },
    ...(advice !== undefined && { advice }),
    ...(status && { status }),
    ...(owner !== undefined && { owner }),
    ...(chat !== undefined && { chat }),
    ...(component !== undefined && { component }),
    ...(blames !== undefined && { blames }),
    ...(bugs && {
      bugs: bugs.map(({ url }) => url),
      closedBugs: bugs.flatMap((bug) => ('closed' in bug ? [{ bug: bug.url, at: bug.closed }] : [])),
    }),
  }
}

function placeOf(entry: Entry<unknown>): string {
  return `${entry.file}:${entry.line()}`
}
