import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Signature } from '../model/signature.ts'
import { type Entry, readSignatureFile } from './document.ts'
import { Linker } from './link.ts'
import type { PartEntry, SignatureEntry } from './schema.ts'

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
  const { files, problems } = await readCatalogueFiles(dirs)
  const catalogue = parseCatalogue(files)
  return { ...catalogue, problems: [...problems, ...catalogue.problems] }
}

export async function readCatalogueFiles(
  dirs: readonly string[],
): Promise<{ readonly files: readonly CatalogueFile[]; readonly problems: readonly CatalogueProblem[] }> {
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
  return { files, problems }
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

/** As messages name a file: relative to where prowl runs, if it lies below. */
export function shownPath(path: string): string {
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
