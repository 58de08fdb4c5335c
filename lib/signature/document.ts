import { type Document, isAlias, isMap, isNode, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import type { CatalogueProblem } from './catalogue.ts'
import {
  type CauseEntry,
  CauseSchema,
  type PartEntry,
  PartSchema,
  type SharedChangeEntry,
  SharedChangeSchema,
  type SignatureEntry,
  SignatureSchema,
} from './schema.ts'

/** One checked entry of a signature file that still knows where each of its values stands. */
export interface Entry<T> {
  readonly value: T
  readonly file: string
  /** 1-based line of the entry, or of a value inside it. */
  readonly line: (...path: readonly PropertyKey[]) => number
}

export interface SignatureFile {
  readonly causes: readonly Entry<CauseEntry>[]
  readonly signatures: readonly Entry<SignatureEntry | PartEntry>[]
  readonly changes: readonly Entry<SharedChangeEntry>[]
  /** Ids that the file names, well-defined or not: what refers to a broken entry is told so, not "unknown". */
  readonly named: { readonly causes: ReadonlySet<string>; readonly signatures: ReadonlySet<string> }
  readonly problems: readonly CatalogueProblem[]
}

type Path = readonly PropertyKey[]
type ListName = 'causes' | 'signatures' | 'changes'
const LISTS: readonly ListName[] = ['causes', 'signatures', 'changes']

/** Aliases may repeat lists, not multiply them: the yaml package counts what each expands to. */
const MAX_ALIASES = 1000

/** Reads one file's entries; each bad one is a problem with its line, and the others stand. */
export function readSignatureFile(file: string, text: string): SignatureFile {
  const reader = new FileReader(file, text)
  const root = reader.root()
  const causes = reader.entries(root, 'causes', () => CauseSchema)
  const signatures = reader.entries(root, 'signatures', (value) =>
    hasKey(value, 'part') ? PartSchema : SignatureSchema,
  )
  const changes = reader.entries(root, 'changes', () => SharedChangeSchema)
  const named = { causes: idsOf(root.causes), signatures: idsOf(root.signatures) }
  return { causes, signatures, changes, named, problems: reader.problems }
}

class FileReader {
  readonly problems: CatalogueProblem[] = []
  readonly #file: string
  readonly #lines = new LineCounter()
  readonly #document: Document.Parsed

  constructor(file: string, text: string) {
    this.#file = file
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false })
  }

  /** The file's lists; empty, with problems noted, where it is not YAML of that shape. */
  root(): Partial<Record<ListName, readonly unknown[]>> {
    for (const error of this.#document.errors) this.#note(this.#lines.linePos(error.pos[0]).line, error.message)
    if (this.#document.errors.length > 0) return {}
    const value = this.#plain()
    if (value === null || value === undefined) return {}
    if (typeof value !== 'object' || Array.isArray(value)) {
      this.#note(1, `expected the lists ${LISTS.join(', ')}`)
      return {}
    }
    const lists: Partial<Record<ListName, readonly unknown[]>> = {}
    for (const [key, list] of Object.entries(value)) {
      const name = LISTS.find((known) => known === key)
      if (!name) this.#note(this.#keyLine([], key), `unknown key \`${key}\`; known are ${LISTS.join(', ')}`)
      else if (Array.isArray(list)) lists[name] = list
      else if (list !== null) this.#note(this.#line([key]), `\`${key}\` must be a list`)
    }
    return lists
  }

  entries<S extends z.ZodType>(
    root: Partial<Record<ListName, readonly unknown[]>>,
    list: ListName,
    schemaOf: (value: unknown) => S,
  ): Entry<z.output<S>>[] {
    return (root[list] ?? []).flatMap((value, index) => {
      const path = [list, index]
      const parsed = schemaOf(value).safeParse(value)
      if (parsed.success) {
        return [{ value: parsed.data, file: this.#file, line: (...inner: Path) => this.#line([...path, ...inner]) }]
      }
      const signature = idOf(value, list === 'changes' ? 'signature' : 'id')
      for (const issue of parsed.error.issues) this.#issue(issue, path, list === 'causes' ? undefined : signature)
      return []
    })
  }

  #issue(issue: z.core.$ZodIssue, path: Path, signature: string | undefined): void {
    const where = [...path, ...issue.path]
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const line = unknown === undefined ? this.#line(where) : this.#keyLine(where, unknown)
    const name = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
    this.#note(line, name ? `${name.replace(/^\./, '')}: ${issue.message}` : issue.message, signature)
  }

  #note(line: number, message: string, signature?: string): void {
    this.problems.push({ file: this.#file, line, ...(signature && { signature }), message })
  }

  #plain(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: MAX_ALIASES })
    } catch (error) {
      this.#note(this.#strayAlias(), error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  /** The line of the first alias that no anchor stands before; 1 if there is none. */
  #strayAlias(): number {
    const anchors = new Set<string>()
    let stray: number | undefined
    visit(this.#document, {
      Node: (_, node) => {
        if (!isAlias(node)) {
          if (node.anchor) anchors.add(node.anchor)
        } else if (!anchors.has(node.source)) {
          stray = node.range?.[0]
          return visit.BREAK
        }
        return undefined
      },
    })
    return stray === undefined ? 1 : this.#lines.linePos(stray).line
  }

  /** The line of the value at `path`, or of the innermost one round it that is written there. */
  #line(path: Path): number {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.#node(path.slice(0, length))
      if (isNode(node) && node.range) return this.#lines.linePos(node.range[0]).line
    }
    return 1
  }

  #keyLine(path: Path, key: string): number {
    const node = path.length === 0 ? this.#document.contents : this.#node(path)
    const pair = isMap(node) ? node.items.find((item) => String(item.key) === key) : undefined
    return isNode(pair?.key) && pair.key.range ? this.#lines.linePos(pair.key.range[0]).line : this.#line(path)
  }

  #node(path: Path): unknown {
    try {
      return this.#document.getIn(path, true)
    } catch {
      return undefined // the path leads through an alias or a plain value
    }
  }
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

function idOf(value: unknown, key: 'id' | 'signature'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const id = (value as Record<string, unknown>)[key]
  return typeof id === 'string' ? id.slice(0, 200) : undefined
}

function idsOf(list: readonly unknown[] | undefined): ReadonlySet<string> {
  return new Set((list ?? []).map((value) => idOf(value, 'id')).filter((id) => id !== undefined))
}
