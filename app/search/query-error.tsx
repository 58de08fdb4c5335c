import type { ReactNode } from 'react'
import type { SearchQuery } from '#lib/search/query.ts'
import type { SearchView } from '#lib/service/views.ts'

/** What is wrong with a pattern, with a caret where. */
export function QueryError({
  error,
  query,
}: {
  error: NonNullable<SearchView['error']>
  query: SearchQuery
}): ReactNode {
  const { message, position } = error
  const pattern = faulty(query, message)
  return (
    <div role="alert" className="mt-4 max-w-4xl border-l-2 border-alert pl-4">
      {position !== undefined && pattern !== undefined && (
        <pre className="mb-1 overflow-x-auto leading-tight">
          {pattern}
          {'\n'}
          <span className="text-alert">{`${' '.repeat(columnOf(pattern, position))}▲`}</span>
        </pre>
      )}
      <p className="font-medium">{message}</p>
    </div>
  )
}

/** The pattern that the message speaks of: the only one, or the one it quotes. */
function faulty({ patterns, job, excludeJob }: SearchQuery, message: string): string | undefined {
  const named = /^name: /.test(message) ? job : /^excludeName: /.test(message) ? excludeJob : undefined
  if (named !== undefined) return named
  return patterns.length === 1 ? patterns[0] : patterns.find((pattern) => message.includes(pattern))
}

/** Columns before an offset: an astral character takes one. */
function columnOf(pattern: string, position: number): number {
  return [...pattern.slice(0, position)].length
}
