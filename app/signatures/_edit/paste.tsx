import type { ReactNode } from 'react'
import type { EditView } from '#lib/service/edit-view.ts'
import { CopyButton } from '../../_ui/copy-button.client.tsx'

const MAX_ROWS = 20

/** What people put into a pull request, where it is reviewed. */
export function Paste({ view: { signature, file, lines }, text }: { view: EditView; text: string }): ReactNode {
  return (
    <section className="mt-8" aria-labelledby="paste">
      <h2 id="paste" className="border-b border-edge pb-1">
        For a pull request
      </h2>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <p className="max-w-[64rem] text-pretty text-soft">
          {signature && lines ? (
            <>
              Put this in place of lines {lines.from}–{lines.to} of <code>{file}</code>.
            </>
          ) : (
            <>
              Put this into a file of its own, such as <code>{file}</code>, or its entries into the lists of one that is
              there.
            </>
          )}{' '}
          Nothing was written here.
        </p>
        <CopyButton text={text} word="copy YAML" className="button ml-auto" />
      </div>
      <textarea
        readOnly
        aria-label="YAML to paste"
        value={text}
        rows={Math.min(MAX_ROWS, text.split('\n').length + 1)}
        wrap="off"
        spellCheck={false}
        className="mt-2 block w-full min-w-0 rounded-sm bg-sunk px-2.5 py-2 font-mono text-small"
      />
    </section>
  )
}
