import type { ReactNode } from 'react'
import type { EditProblem, EditView } from '#lib/service/edit-view.ts'
import { CopyButton } from '../../_ui/copy-button.client.tsx'
import { counted } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'

const MAX_LENGTH = 65_536
const MAX_ROWS = 28

/** A plain form: its answer is a page of its own, with or without JavaScript. */
export function EditForm({ view, path, tried }: { view: EditView; path: string; tried: boolean }): ReactNode {
  const { signature, file, lines, yaml, problems, moreProblems = 0, paste } = view
  const rows = Math.min(MAX_ROWS, yaml.split('\n').length + 2)
  return (
    <form action={path} method="get" className="mt-5">
      <Problems problems={problems} more={moreProblems} />
      <label htmlFor="yaml" className="font-semibold">
        {signature ? 'The signature’s YAML' : 'A file of signatures'}
      </label>
      <p id="yaml-where" className="text-soft">
        {lines ? (
          <>
            Lines {lines.from}–{lines.to} of <code>{file}</code>.
          </>
        ) : (
          <>
            The words are explained in <code>docs/signatures.md</code>.
          </>
        )}{' '}
        Nothing is written: the edit is in this page’s address only.
      </p>
      <textarea
        key={yaml}
        id="yaml"
        name="yaml"
        defaultValue={yaml}
        rows={rows}
        wrap="off"
        maxLength={MAX_LENGTH}
        required
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={problems.length > 0}
        aria-describedby={problems.length > 0 ? 'yaml-where yaml-problems' : 'yaml-where'}
        className="mt-1 block w-full min-w-0 rounded-md border border-edge bg-panel px-2.5 py-2 font-mono text-small hover:border-faint"
      />
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="submit" className="button">
          Preview
        </button>
        {tried && <Link href={path}>{signature ? 'Start anew from the file' : 'Start anew'}</Link>}
        {paste !== undefined && <Link href="#paste">YAML for a pull request</Link>}
        {tried && <CopyButton address={`${path}?${new URLSearchParams({ yaml })}`} word="copy link" />}
      </div>
    </form>
  )
}

/** What is wrong, as the catalogue says it, with the line that it is wrong on. */
function Problems({ problems, more }: { problems: readonly EditProblem[]; more: number }): ReactNode {
  if (problems.length === 0) return null
  return (
    <ul id="yaml-problems" className="mb-4 max-w-4xl space-y-2">
      {problems.map(({ in: where, file, line, signature, message, text }) => (
        <li key={`${file} ${line} ${signature} ${message}`} className="border-l-2 border-alert pl-4">
          <p>
            <span className="font-medium">{where === 'edit' ? `Line ${line}` : `${file}, line ${line}`}</span>
            {signature && (
              <span className="text-soft">
                {' '}
                of <code>{signature}</code>
              </span>
            )}
            : <span className="break-words">{message}</span>
          </p>
          {text && <pre className="mt-0.5 line-clamp-3 break-all whitespace-pre-wrap text-soft">{text}</pre>}
        </li>
      ))}
      {more > 0 && <li className="pl-4 text-soft">and {counted(more, 'more fault')}</li>}
    </ul>
  )
}
