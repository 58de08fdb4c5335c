import type { ReactNode } from 'react'
import { strip } from '#lib/chart/strip.ts'
import { COVERAGE_DAYS } from '#lib/service/coverage.ts'
import type { TriageRow, TriageView } from '#lib/service/views.ts'
import { isMuted, muteNote } from '#lib/triage/mutes.ts'
import { isAboveUsual, usualWords } from '#lib/triage/usual.ts'
import { BugLinks } from './bug-links.tsx'
import { age, count, counted, day, moment, percent } from './format.ts'
import { Link } from './link.tsx'
import { intervalText } from './share.ts'
import { signatureLink } from './signature-link.ts'
import { StateMark } from './state-mark.tsx'
import { StripAxis, StripChart } from './strip-chart.tsx'
import { CadenceWords } from './words.tsx'

const STRIP_WIDTH = 260

/** One row a signature. Below `lg` a row stacks into lines, the strip beneath its words. */
export function TriageTable({
  rows,
  window,
  now,
}: {
  rows: readonly TriageRow[]
  window: TriageView['window']
  now: number
}): ReactNode {
  const days = daysOf(window)
  return (
    <table className="figures mt-6 max-lg:block">
      <thead className="max-lg:sr-only">
        <tr>
          <th scope="col">state now</th>
          <th scope="col">failure</th>
          <th scope="col" className="whitespace-nowrap">
            incidents, last {days} days
            <StripAxis window={window} width={STRIP_WIDTH} />
          </th>
          <th scope="col">how often, all data</th>
          <th scope="col" className="number" title="Runs hit in the last 24 hours, and in four days of five before">
            24 h (usual)
          </th>
          <th scope="col">
            <Link href="/coverage">killed, {COVERAGE_DAYS} d</Link>
          </th>
          <th scope="col">bug</th>
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {rows.map((row) => (
          <Row key={row.signature.id} row={row} window={window} now={now} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row, window, now }: { row: TriageRow; window: TriageView['window']; now: number }): ReactNode {
  const { signature, parts, incidents, words, runsHit } = row
  const ended = isMuted(signature, now) ? undefined : muteNote(signature, now)
  const drawn = strip({ window, incidents, changes: signature.changes }, STRIP_WIDTH)
  const title = `${signature.title}: ${counted(incidents.length, 'incident')} since ${day(window.from)}, ${counted(runsHit, 'run')} hit`
  return (
    <tr className="max-lg:flex max-lg:flex-wrap max-lg:items-baseline max-lg:gap-x-4 max-lg:py-3 max-lg:[&>td]:p-0 lg:[&>*]:py-2.5">
      <td className="max-lg:basis-full">
        <StateMark verdict={row.verdict} />
      </td>
      <th scope="row" className="text-ink max-lg:basis-full lg:w-[17rem]">
        <Link href={signatureLink(signature.id)} className="font-semibold text-ink hover:text-accent" row>
          {signature.title}
        </Link>
        {ended && <span className="block text-small text-faint">{ended}</span>}
        <Parts parts={parts} />
      </th>
      <td className="max-lg:order-last max-lg:basis-full max-lg:!pt-2 lg:w-[17.25rem]">
        <StripChart strip={drawn} title={title} />
      </td>
      <td className="max-lg:basis-full">
        <CadenceWords words={words} />
      </td>
      <td className="lg:number">
        <LastDay row={row} now={now} />
      </td>
      <td className="whitespace-nowrap">
        <KilledWords {...(row.killed && { killed: row.killed })} />
      </td>
      <td>
        <BugLinks bugs={signature.bugs} />
      </td>
    </tr>
  )
}

/** Runs hit lately against what is usual, and when it was last seen; coloured only where it is more than usual. */
function LastDay({ row, now }: { row: TriageRow; now: number }): ReactNode {
  const { hits24h: runs, usual24h: usual, lastSeen } = row
  const above = isAboveUsual({ runs, ...(usual && { usual }) })
  return (
    <>
      <span className={above ? 'font-medium text-alert' : runs > 0 ? '' : 'text-faint'} title={usualTitle(usual)}>
        {above && <span aria-hidden="true">● </span>}
        {count(runs)}
        {above && <span className="sr-only">, more than usual</span>}
      </span>
      {usual && <span className="text-faint"> ({usualWords(usual)})</span>}
      <span className="text-faint lg:hidden"> in the last 24 h (usual)</span>
      {lastSeen !== undefined && (
        <span className="text-faint lg:block" title={`last seen ${moment(lastSeen)} UTC`}>
          <span className="lg:hidden"> · seen </span>
          {age(lastSeen, now)}
        </span>
      )}
    </>
  )
}

function usualTitle(usual: TriageRow['usual24h']): string {
  if (!usual) return 'Too few days to tell what is usual'
  return `Runs hit in the last 24 hours; usual: ${usualWords(usual)}, by the ${usual.days} days before`
}

/** The share of failed runs that died of it, and of which nothing else known is the cause. */
function KilledWords({ killed }: Pick<TriageRow, 'killed'>): ReactNode {
  if (!killed)
    return (
      <span className="text-faint">
        0%<span className="lg:hidden"> of failed runs killed</span>
      </span>
    )
  const { share, onlyThis } = killed
  return (
    <span title={`${share.part} of ${share.whole} failed runs; 95% interval of the share ${intervalText(share)}%`}>
      {percent(share.part, share.whole)}
      <span className="text-faint lg:hidden"> of failed runs killed</span>
      <span className="text-faint lg:block"> ({percent(onlyThis, share.whole)} only this)</span>
    </span>
  )
}

function daysOf({ from, to }: TriageView['window']): number {
  return Math.round((to - from) / 86_400_000)
}

function Parts({ parts }: Pick<TriageRow, 'parts'>): ReactNode {
  if (parts.length === 0) return null
  return (
    <ul className="mt-0.5 flex flex-wrap gap-x-3 text-small text-faint">
      {parts.map(({ signature, runsHit }) => (
        <li key={signature.id}>
          <Link href={signatureLink(signature.id)} className="text-soft hover:text-accent hover:underline">
            {signature.title}
          </Link>{' '}
          {counted(runsHit, 'run')}
        </li>
      ))}
    </ul>
  )
}
