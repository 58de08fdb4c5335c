import { runLinks } from '../deployment/links.ts'
import { isProwlError, ProwlError } from '../errors.ts'
import type { Hit } from '../model/hit.ts'
import type { Signature } from '../model/signature.ts'
import {
  type Catalogue,
  type CatalogueFile,
  type CatalogueProblem,
  readCatalogueFiles,
} from '../signature/catalogue.ts'
import { definitionsOf } from '../signature/definitions.ts'
import { readSignatureFile } from '../signature/document.ts'
import { type Excerpt, excerptAt, indented, tidied, withExcerpt } from '../signature/excerpt.ts'
import type { Context } from './context.ts'
import type { EditChange, EditProblem, EditRun, EditView } from './edit-view.ts'
import { changedSignatures, type Difference, type PreviewAnswer, preview } from './preview.ts'
import { findSignature } from './signature.ts'

/** Bytes of UTF-8: twenty times the longest entry that is kept with prowl. */
export const MAX_EDIT_BYTES = 64 * 1024
const MAX_PATTERNS = 200
const DEADLINE_MS = 10_000
const LISTED = 50
const PROBLEMS_LISTED = 50
const PROBLEM_LENGTH = 500

const NEW_FILE = 'signatures/new.yaml'
const NEW_TEXT = `signatures:
  - id: area.failure
    title: What failed, in a few words
    kind: per-run
    regexes:
      - 'failed to reach thing "(?P<res>[^"]+)": (?P<cause>.+)'
    samples:
      match:
        - 'failed to reach thing "a": no answer'
      no_match:
        - 'failed to reach thing "a", will retry'`

export interface EditOptions {
  /** The entry as it was edited; absent: as its file has it. */
  readonly yaml?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly deadlineMs?: number
}

/**
 * A signature's YAML, and what an edit of it would gain and lose; without an id, of a signature that is not there yet.
 * What is wrong with the edit is part of the answer. Nothing is written. Throws NOT_FOUND, and the signal's reason.
 */
export async function editView(ctx: Context, id: string | undefined, options: EditOptions = {}): Promise<EditView> {
  const { files } = await readCatalogueFiles(ctx.config.signatureDirs)
  const place = id === undefined ? newPlace() : placeOf(findSignature(await ctx.catalogue(), id), files)
  const yaml = options.yaml === undefined ? place.excerpt.yaml : tidied(options.yaml)
  const view = { ...headOf(place), yaml, problems: [] }
  if (options.yaml === undefined) return view
  if (yaml === place.excerpt.yaml && place.signature) return { ...view, same: true }
  try {
    return { ...view, ...(await answerOf(ctx, files, place, yaml, options)) }
  } catch (error) {
    if (!isProwlError(error) || !['EDIT_TOO_LARGE', 'SEARCH_DEADLINE'].includes(error.code)) throw error
    return { ...view, error: { code: error.code, message: error.message } }
  }
}

/** Where an edit goes. */
interface Place {
  readonly signature?: Signature
  readonly file: CatalogueFile
  readonly excerpt: Excerpt
}

function placeOf(signature: Signature, files: readonly CatalogueFile[]): Place {
  const file = files.find((each) => each.file === signature.source.file)
  // The catalogue is a few seconds behind the files: the line is asked of the text that will be cut.
  const entry =
    file && readSignatureFile(file.file, file.text).signatures.find(({ value }) => value.id === signature.id)
  if (!file || !entry)
    throw new ProwlError('NOT_FOUND', `${signature.source.file} has just changed; open the page again in a few seconds`)
  return { signature, file, excerpt: excerptAt(file.text, entry.line()) }
}

function newPlace(): Place {
  return { file: { file: NEW_FILE, text: '' }, excerpt: { yaml: NEW_TEXT, from: 1, to: 1, indent: 0 } }
}

function headOf({ signature, file, excerpt: { from, to } }: Place): Pick<EditView, 'signature' | 'file' | 'lines'> {
  if (!signature) return { file: file.file }
  const { id, title } = signature
  return { signature: { id, title }, file: file.file, lines: { from, to } }
}

async function answerOf(
  ctx: Context,
  files: readonly CatalogueFile[],
  { file, excerpt, signature }: Place,
  yaml: string,
  { signal, deadlineMs = DEADLINE_MS }: EditOptions,
): Promise<Pick<EditView, 'problems' | 'moreProblems' | 'answer' | 'paste'>> {
  if (Buffer.byteLength(yaml) > MAX_EDIT_BYTES)
    throw new ProwlError('EDIT_TOO_LARGE', `an edit holds at most ${MAX_EDIT_BYTES / 1024} KiB; shorten it`)
  const until = performance.now() + deadlineMs
  const limits = () => ({ deadlineMs: Math.max(1, until - performance.now()), ...(signal ? { signal } : {}) })
  const own = withExcerpt(file.text, excerpt, yaml)
  const edited = { file: file.file, text: own.text }
  const after = await ctx.searcher.catalogue(
    signature ? files.map((each) => (each === file ? edited : each)) : [...files, edited],
    limits(),
  )
  const before = await ctx.catalogue()
  const problems = problemsOf(before, after, edited, own)
  if (problems.length > 0)
    return {
      problems: problems.slice(0, PROBLEMS_LISTED).map(shortened),
      moreProblems: Math.max(0, problems.length - PROBLEMS_LISTED),
    }
  checkPatterns(changedSignatures(before, after))
  const answer = await preview(ctx.searcher, before, after, { ...limits(), listed: LISTED })
  const stale = await staleOf(ctx, before, answer)
  return {
    problems,
    answer: { ...answer, previews: answer.previews.map(changeOf), stale },
    paste: indented(yaml, excerpt.indent),
  }
}

/** What the edit brought about: in it, else in its file, else elsewhere; what was wrong before is left out. */
function problemsOf(
  before: Catalogue,
  after: Catalogue,
  edited: CatalogueFile,
  { from, to }: { readonly from: number; readonly to: number },
): EditView['problems'] {
  const textOf = ({ file, signature, message }: CatalogueProblem) => JSON.stringify([file, signature, message])
  const known = new Set(before.problems.map(textOf))
  const lines = edited.text.split('\n')
  const inFile = after.problems.filter(({ file }) => file === edited.file)
  const inEdit = inFile.filter(({ line }) => line >= from && line <= to)
  if (inEdit.length > 0)
    return inEdit.map((problem) => ({
      ...problem,
      in: 'edit',
      line: problem.line - from + 1,
      text: (lines[problem.line - 1] ?? '').trim(),
    }))
  const fresh = (problems: readonly CatalogueProblem[]) => problems.filter((problem) => !known.has(textOf(problem)))
  const others = fresh(inFile).length > 0 ? fresh(inFile) : fresh(after.problems)
  return others.map((problem) => ({ ...problem, in: 'file' }))
}

/** A line and a pattern may be as long as the edit. */
function shortened({ message, text, ...problem }: EditProblem): EditProblem {
  const cap = (long: string) => (long.length > PROBLEM_LENGTH ? `${long.slice(0, PROBLEM_LENGTH - 1)}…` : long)
  return { ...problem, message: cap(message), ...(text === undefined ? {} : { text: cap(text) }) }
}

function checkPatterns(changed: readonly Signature[]): void {
  const count = changed.flatMap(({ regexes, excludes, excludeJobs }) => [
    ...regexes,
    ...excludes,
    ...excludeJobs,
  ]).length
  if (count <= MAX_PATTERNS) return
  throw new ProwlError('EDIT_TOO_LARGE', `the edit changes signatures of ${count} regexes; try ${MAX_PATTERNS} at most`)
}

/** Signatures whose stored hits are not yet those of today's file: the comparison is with what is stored. */
async function staleOf(ctx: Context, before: Catalogue, { previews }: PreviewAnswer): Promise<readonly string[]> {
  const definitions = await definitionsOf(ctx.store)
  if (!definitions) return []
  const rules = new Map(before.signatures.map(({ id, definition }) => [id, definition]))
  return previews
    .map(({ signature }) => signature)
    .filter((id) => rules.has(id) && definitions[id]?.definition !== rules.get(id))
}

function changeOf({ gained, lost, ...preview }: PreviewAnswer['previews'][number]): EditChange {
  return {
    ...preview,
    gained: { count: gained.count, runs: gained.runs.map(runOf) },
    lost: { count: lost.count, runs: lost.runs.map(runOf) },
  }
}

function runOf({ run, hits, moreHits }: Difference): EditRun {
  const lineOf = (hit: Hit) => ({ hit, run, links: runLinks(run, { log: hit.log, line: hit.line }) })
  return { run, links: runLinks(run), hits: hits.map(lineOf), moreHits }
}
