import type { z } from 'zod'
import type { Described } from './describe.ts'
import type { PodInfo } from './documents.ts'

type Pod = z.infer<typeof PodInfo>

/**
 * The text of a run that died before it logged: the ProwJob's description, the pod's state and its events, each line
 * with its time where there is one. Empty where nothing is known.
 */
export function prowLog({ run, podInfo, state }: Described): string {
  const lines = [
    ...(run.description ? [`ProwJob ${state ?? run.result}: ${run.description}`] : []),
    ...podLines(podInfo),
    ...(podInfo?.events ?? []).map(eventLine),
  ]
  return lines.map((line) => `${oneLine(line)}\n`).join('')
}

function podLines(podInfo: Pod | undefined): string[] {
  const status = podInfo?.pod?.status
  if (status === undefined) return []
  const lines: string[] = []
  if (status.reason || status.message) lines.push(words('Pod', status.phase, status.reason, status.message))
  for (const container of [...status.initContainerStatuses, ...status.containerStatuses])
    for (const [kind, told] of Object.entries(container.state))
      if (told?.reason || told?.message)
        lines.push(words(`Container ${container.name ?? ''} ${kind}:`, told.reason, told.message))
  return lines
}

function eventLine(event: Pod['events'][number]): string {
  const at = event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp
  const time = at === undefined ? undefined : new Date(at).toISOString().replace('.000Z', 'Z')
  const times = event.count !== undefined && event.count > 1 ? `(${event.count} times)` : undefined
  return words(time, event.type, event.reason && `${event.reason}:`, event.message, times)
}

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim()
}
