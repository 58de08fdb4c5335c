import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** What the bars of a colour are. */
export function Key({ className, word }: { className: string; word: string }): ReactNode {
  return (
    <span className="inline-flex items-center gap-1.5 text-soft">
      <svg width={10} height={10} aria-hidden="true">
        <rect width={10} height={10} className={className} />
      </svg>
      {word}
    </span>
  )
}

interface NumbersRow {
  readonly name: string
  readonly href: string
  readonly numbers: readonly string[]
}

/** What bars show as a table, folded; the first column leads where the bars do. */
export function Numbers({
  columns: [first, ...others],
  rows,
}: {
  columns: readonly string[]
  rows: readonly NumbersRow[]
}): ReactNode {
  return (
    <details className="mt-1 text-small">
      <summary>The same as a table</summary>
      <table className="figures max-w-md">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((column) => (
              <th key={column} scope="col" className="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, href, numbers }) => (
            <tr key={href}>
              <th scope="row">
                <Link href={href}>{name}</Link>
              </th>
              {numbers.map((number, i) => (
                <td key={others[i]} className="number">
                  {number}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
