import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Cause, Signature } from '../model/signature.ts'
import { checkSignature, patternProblem } from './check.ts'
import { definitionOf } from './definition.ts'
import { type Entry, readSignatureFile } from './document.ts'
import type { CauseEntry, PartEntry, SharedChangeEntry, SignatureEntry } from './schema.ts'

/** What the signature files say, and what is wrong with them: a bad signature never stops the others. */
export interface Catalogue {
  readonly signatures: readonly Signature[]
  readonly problems: readonly CatalogueProblem[]
}

export interface CatalogueProblem {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly signature?: string
  readonly message: string
}

export interface CatalogueFile {
  /** As messages name it. */
  readonly file: string
  readonly text: string
}

/** Reads every `*.yaml` and `*.yml` of the directories, in their order and then by name; a missing directory holds none. */
export async function loadCatalogue(dirs: readonly string[]): Promise<Catalogue> {
  const files: CatalogueFile[] = []
  const problems: CatalogueProblem[] = []
  for (const dir of dirs) {
    const { names, problem } = await yamlFiles(dir)
    if (problem) problems.push(problem)
    for (const name of names) {
      const path = join(dir, name)
      try {
        files.push({ file: shownPath(path), text: await readFile(path, 'utf8') })
      } catch (error) {
        problems.push(unreadable(path, error))
      }
    }
  }
  const catalogue = parseCatalogue(files)
  return { ...catalogue, problems: [...problems, ...catalogue.problems] }
}

async function yamlFiles(dir: string): Promise<{ names: string[]; problem?: CatalogueProblem }> {
  try {
    const names = await readdir(dir)
    return { names: names.filter((name) => /^[^.].*\.ya?ml$/.test(name)).sort() }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { names: [] }
    return { names: [], problem: unreadable(dir, error) }
  }
}

function unreadable(path: string, error: unknown): CatalogueProblem {
  return { file: shownPath(path), line: 1, message: `cannot be read (${codeOf(error) ?? error}); make it readable` }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Relative to where prowl runs, if it lies below. */
function shownPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below.startsWith('..') ? path : below
}

/** The catalogue of these files. Pure; what is wrong is told by file, line and signature, and the rest stands. */
export function parseCatalogue(files: readonly CatalogueFile[]): Catalogue {
  const parsed = files.map(({ file, text }) => readSignatureFile(file, text))
  const linker = new Linker(
    unite(parsed.map((file) => file.named.causes)),
    unite(parsed.map((file) => file.named.signatures)),
  )
  for (const cause of parsed.flatMap((file) => file.causes)) linker.addCause(cause)
  linker.addChanges(parsed.flatMap((file) => file.changes))
  const entries = parsed.flatMap((file) => file.signatures).filter((entry) => linker.isFirst(entry))
  for (const entry of entries) if (isWhole(entry)) linker.addSignature(entry)
  for (const entry of entries) if (isPart(entry)) linker.addPart(entry)
  const problems = [...parsed.flatMap((file) => file.problems), ...linker.problems]
  const order = new Map(files.map(({ file }, index) => [file, index]))
  problems.sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line)
  return {
    signatures: entries.flatMap((entry) => linker.signatures.get(entry.value.id) ?? []),
    problems,
  }
}

function unite(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]))
}

function isWhole(entry: Entry<SignatureEntry | PartEntry>): entry is Entry<SignatureEntry> {
  return !isPart(entry)
}

function isPart(entry: Entry<SignatureEntry | PartEntry>): entry is Entry<PartEntry> {
  return 'part' in entry.value
}

/** Ties entries of all files together: causes, parts, changes and what yields to what. */
class Linker {
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
        bugs: value.bugs ?? [],
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
    return [...changes, ...shared].sort((a, b) => a.at - b.at)
  }

  #note(entry: Entry<unknown>, path: readonly PropertyKey[], message: string, signature?: string): void {
    this.problems.push({ file: entry.file, line: entry.line(...path), ...(signature && { signature }), message })
  }
}

interface Fault {
  readonly path: readonly PropertyKey[]
  readonly message: string
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
    ...(bugs && { bugs }),
  }
}

function placeOf(entry: Entry<unknown>): string {
  return `${entry.file}:${entry.line()}`
}
