import type { ReactNode } from 'react'

/** Names and numbers, one row each. */
export function Figures({
  figures,
  caption,
}: {
  figures: readonly (readonly [name: string, value: string])[]
  caption?: string
}): ReactNode {
  return (
    <table className="figures max-w-xs">
      {caption && <caption className="text-left text-small text-faint">{caption}</caption>}
      <tbody>
        {figures.map(([name, value]) => (
          <tr key={name}>
            <th scope="row" className="text-soft">
              {name}
            </th>
            <td className="number">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
