import type { ReactNode } from 'react'
import type { SearchView } from '#lib/service/views.ts'

/** What is wrong with a pattern, with a caret where. */
export function QueryError({ error }: { error: NonNullable<SearchView['error']> }): ReactNode {
  const { message, position, pattern } = error
  return (
    <div role="alert" className="mt-4 max-w-4xl border-l-2 border-alert pl-4">
      {position !== undefined && pattern !== undefined && (
        <pre className="mb-1 overflow-x-auto leading-tight">
          {pattern.text}
          {'\n'}
          <span className="text-alert">{`${' '.repeat(columnOf(pattern.text, position))}▲`}</span>
        </pre>
      )}
      <h1 className="text-base font-medium">{message}</h1>
    </div>
  )
}

/** Columns before an offset: an astral character takes one. */
function columnOf(pattern: string, position: number): number {
  return [...pattern.slice(0, position)].length
}
