import type { ReactNode } from 'react'
import type { SignatureView } from '#lib/service/views.ts'
import { count } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { signatureLink } from '../../_ui/signature-link.ts'

/** By which cause; each leads to its hits. */
export function Causes({ view, cause }: { view: SignatureView; cause: string | undefined }): ReactNode {
  const { causes, signature } = view
  if (causes.length === 0) return null
  return (
    <section className="mt-8 max-w-xl">
      <h2>By cause</h2>
      <p className="mb-1 text-small text-faint">runs that show it; one run may show several</p>
      <table className="figures">
        <tbody>
          {causes.map(({ id, title, runs }) => (
            <tr key={id}>
              <th scope="row">
                <Link
                  href={`${signatureLink(signature.id)}?cause=${encodeURIComponent(id)}#hits`}
                  current={id === cause ? 'true' : undefined}
                >
                  {title}
                </Link>
              </th>
              <td className="number">{count(runs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
