import type { ReactNode } from 'react'
import type { FiguresView } from '#lib/service/figures.ts'
import { habitWords } from '#lib/service/together.ts'
import type { Share } from '#lib/triage/share.ts'
import { count, counted, percent } from '../../_ui/format.ts'
import { Link } from '../../_ui/link.tsx'
import { intervalText } from '../../_ui/share.ts'
import { signatureLink } from '../../_ui/signature-link.ts'
import { Time } from '../../_ui/time.tsx'

/** How good a signature is at telling why runs fail. */
export function ScorecardSection({ view, now }: { view: FiguresView; now: number }): ReactNode {
  const { scorecard, window } = view
  const { failed, passed, outcomes, overlaps, last, warnings } = scorecard
  const hit = outcomes.died + outcomes.later + outcomes.passed + outcomes.other
  return (
    <section className="mt-8" id="scorecard">
      <h2>Scorecard</h2>
      <p className="text-small text-faint">
        runs of the last {window.days} days that could have shown it; shares with their 95% interval
      </p>
      {warnings.length > 0 && (
        <ul className="mt-2 space-y-1">
          {warnings.map((warning) => (
            <li key={warning} className="max-w-[64rem] text-pretty break-words text-warn">
              ▲ {warning}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2 grid gap-x-10 gap-y-4 lg:grid-cols-2">
        <table className="figures">
          <tbody>
            <Row name="in failed runs">
              <ShareText share={failed} />
            </Row>
            <Row name="in passing runs">
              <ShareText share={passed} />
            </Row>
            <Row name="accounts for, of failed runs">
              {percent(scorecard.attributable * failed.whole, failed.whole)}
            </Row>
            <Row name="last matched">{last === undefined ? <Faint>never</Faint> : <Time at={last} now={now} />}</Row>
          </tbody>
        </table>
        <table className="figures">
          <tbody>
            <Row name="■ died of it">
              {count(outcomes.died)} <Faint>{percent(outcomes.died, hit)}</Faint>
            </Row>
            <Row name="◆ survived it, failed later of something else">
              {count(outcomes.later)} <Faint>{percent(outcomes.later, hit)}</Faint>
            </Row>
            <Row name="○ passed">
              {count(outcomes.passed)} <Faint>{percent(outcomes.passed, hit)}</Faint>
            </Row>
            {outcomes.other > 0 && (
              <Row name="◇ aborted, lost, or not ended">
                {count(outcomes.other)} <Faint>{percent(outcomes.other, hit)}</Faint>
              </Row>
            )}
            {overlaps.map(({ signature, title, runs, of }) => (
              <tr key={signature}>
                <th scope="row" className="text-soft">
                  shares runs with <Link href={signatureLink(signature)}>{title}</Link>
                </th>
                <td className="number">
                  {count(runs)} <Faint>of {counted(of, 'run')}</Faint>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {view.together.map((other) => (
        <p key={other.id} className="mt-2 text-soft">
          Strikes together with <Link href={signatureLink(other.id)}>{other.title}</Link>: {habitWords(other)}, of all
          time.
        </p>
      ))}
    </section>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <tr>
      <th scope="row" className="text-soft">
        {name}
      </th>
      <td className="number">{children}</td>
    </tr>
  )
}

function ShareText({ share }: { share: Share }): ReactNode {
  const { part, whole } = share
  return (
    <>
      <Faint>
        {count(part)} of {count(whole)}
      </Faint>{' '}
      {percent(part, whole)} {whole > 0 && <Faint>({intervalText(share)})</Faint>}
    </>
  )
}

function Faint({ children }: { children: ReactNode }): ReactNode {
  return <span className="text-faint">{children}</span>
}
