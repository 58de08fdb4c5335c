import { sum } from 'd3-array'
import { utcFormat } from 'd3-time-format'
import { count, moment } from '../incident/figures.ts'
import type { News, NewsKind, Struck } from './news.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const time = utcFormat('%H:%M')

/** One part of the line: `1 seen again`. */
export interface NewsPart {
  readonly kind: NewsKind
  readonly words: string
  readonly struck: readonly Struck[]
  readonly groups: News['groups']
}

/** `yesterday 09:00`, `today 09:00`, `3 Nov 09:00`; UTC. */
export function sinceWords(since: number, now: number): string {
  const days = Math.floor(now / DAY) - Math.floor(since / DAY)
  const named = ['today', 'yesterday'][days]
  return named ? `${named} ${time(new Date(since))}` : moment(since, now)
}

/** What there is of new, seen again and under way, in that order; what there is not of left out. */
export function newsParts({ struck, groups }: News): NewsPart[] {
  const of = (kind: NewsKind) => struck.filter((each) => each.kind === kind)
  const parts: NewsPart[] = [
    { kind: 'new', words: `${of('new').length + groups.length} new`, struck: of('new'), groups },
    { kind: 'again', words: `${of('again').length} seen again`, struck: of('again'), groups: [] },
    { kind: 'under way', words: underWayWords(of('under way')), struck: of('under way'), groups: [] },
  ]
  return parts.filter((part) => part.struck.length + part.groups.length > 0)
}

/** `Since yesterday 09:00: 2 new · 1 seen again · 1 under way on build02 (5 runs in 30 min)` */
export function newsLine(news: News, now: number): string {
  const parts = newsParts(news).map(({ words }) => words)
  return `Since ${sinceWords(news.since, now)}: ${parts.length > 0 ? parts.join(' · ') : 'nothing new'}`
}

/** What one piece of news is: `first seen`, `first since the change`, `seen again after a quiet`, `under way`. */
export function kindWords({ kind, after }: Pick<Struck, 'kind' | 'after'>): string {
  if (kind === 'new') return 'new'
  if (kind === 'under way') return 'under way'
  return after === 'change' ? 'first since the change' : 'seen again after a quiet'
}

/** `5 runs in 30 min on build02` */
export function strikeWords({ incident }: Struck): string {
  return `${extent([incident])}${placed(incident.clusters)}`
}

function underWayWords(struck: readonly Struck[]): string {
  const incidents = struck.map(({ incident }) => incident)
  const clusters = [...new Set(incidents.flatMap((incident) => incident.clusters))].sort()
  return `${struck.length} under way${placed(clusters)} (${extent(incidents)})`
}

/** Incidents apart have no common length. */
function extent(incidents: readonly Struck['incident'][]): string {
  const runs = count(
    sum(incidents, (incident) => incident.runs),
    'run',
  )
  const [only, ...more] = incidents
  return only && more.length === 0 ? `${runs} in ${lasting(only.to - only.from)}` : runs
}

function placed(clusters: readonly string[]): string {
  if (clusters.length === 0) return ''
  return ` on ${clusters.length > 2 ? `${clusters.length} build clusters` : clusters.join(' and ')}`
}

function lasting(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE))
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
