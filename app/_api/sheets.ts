import { instant, type Sheet } from '#app/_api/sheet.ts'
import type { Incident } from '#lib/model/incident.ts'
import type { Run } from '#lib/model/run.ts'
import type { BugView } from '#lib/service/bug.ts'
import type { CoverageView } from '#lib/service/coverage.ts'
import type { EvidenceView } from '#lib/service/evidence-view.ts'
import type { FiguresView } from '#lib/service/figures.ts'
import type { GroupsView, GroupView } from '#lib/service/groups.ts'
import type { PullView } from '#lib/service/pull.ts'
import type { SearchCounts } from '#lib/service/search-stream.ts'
import type { TallyView } from '#lib/service/tally.ts'
import type { IncidentView, RunView, SignatureView, StatusView, TriageView } from '#lib/service/views.ts'
import type { Catalogue } from '#lib/signature/catalogue.ts'

const INCIDENT = ['incident', 'at', 'runs', 'votes', 'causes', 'jobs', 'pulls', 'clusters']
const RUN = ['time', 'job', 'build', 'result']

function incidentRow({ id, at, runs, votes, causes, jobs, pulls, clusters }: Incident) {
  return [id, instant(at), runs.length, votes, ...[causes, jobs, pulls, clusters].map((list) => list.join(' '))]
}

function runRow({ time, job, buildId, result }: Pick<Run, 'time' | 'job' | 'buildId' | 'result'>) {
  return [instant(time), job, buildId, result]
}

export function triageSheet({ rows }: TriageView): Sheet {
  return {
    columns: ['state', 'id', 'failure', 'how often', 'hits in 24 h', 'runs killed', 'last seen', 'bugs'],
    rows: rows.map(({ stateWord, signature, words, hits24h, killed, lastSeen }) => [
      ...[stateWord, signature.id, signature.title, words, hits24h, killed?.share.part ?? 0],
      ...[instant(lastSeen), signature.bugs.join(' ')],
    ]),
  }
}

export function catalogueSheet({ signatures }: Catalogue): Sheet {
  return {
    columns: ['id', 'failure', 'kind', 'owner', 'bugs', 'file'],
    rows: signatures.map(({ id, title, kind, owner, bugs, source }) => [
      ...[id, title, kind, owner, bugs.join(' '), `${source.file}:${source.line}`],
    ]),
  }
}

export function signatureSheet({ signature, sentences, incidents, completeTo }: SignatureView): Sheet {
  return {
    head: [
      ['signature', signature.id],
      ['title', signature.title],
      ...sentences.map((sentence) => ['verdict', sentence] as const),
      ['bugs', signature.bugs.join(' ')],
      ['complete to', instant(completeTo)],
    ],
    columns: INCIDENT,
    rows: incidents.map(incidentRow),
  }
}

export function figuresSheet({ breakdowns }: FiguresView): Sheet {
  return {
    columns: ['by', 'value', 'runs hit', 'runs that could have shown it', 'low', 'high', 'pulls'],
    rows: breakdowns.flatMap(({ by, rows }) =>
      rows.map(({ value, share, pulls }) => [
        ...[by, value, share.part, share.whole, share.interval.low, share.interval.high, pulls],
      ]),
    ),
  }
}

export function incidentSheet({ signature, incident, lanes, outcomeWords }: IncidentView): Sheet {
  return {
    head: [
      ['incident', incident.id],
      ['signature', signature.id],
      ['title', signature.title],
      ['at', instant(incident.at)],
      ['runs', outcomeWords],
    ],
    columns: [...RUN, 'outcome', 'log', 'line', 'text'],
    rows: lanes.map(({ run, hits: [hit], end }) => [...runRow(run), end, hit?.log, hit?.line, hit?.text]),
  }
}

export function runSheet({ run, logs, hits, expired }: RunView): Sheet {
  return {
    head: [
      ['run', `${run.bucket}/${run.path}`],
      ['job', run.job],
      ['build', run.buildId],
      ['result', run.result],
      ['time', instant(run.time)],
      ['failure', run.failure?.text],
      ['logs', expired ? 'kept no longer' : logs.map(({ name }) => name).join(' ')],
    ],
    columns: ['signature', 'failure', 'log', 'line', 'text', 'bugs'],
    rows: hits.map(({ hit, signature }) => [
      ...[hit.signature, signature?.title, hit.log, hit.line, hit.text, signature?.bugs.join(' ')],
    ]),
  }
}

export function bugSheet({ given, name, signatures }: BugView): Sheet {
  return {
    head: [['bug', name ?? given]],
    columns: ['id', 'failure', 'verdict', 'last incident'],
    rows: signatures.map(({ signature: { id, title }, sentences, incidents: [last] }) => [
      ...[id, title, sentences.join(' '), instant(last?.at)],
    ]),
  }
}

export function evidenceSheet({ evidence: { content } }: EvidenceView): Sheet {
  const runs = new Map(content.runs.map((run) => [`${run.bucket}/${run.path}`, run]))
  return {
    columns: [...RUN, 'log', 'line', 'text'],
    rows: content.lines.map(({ bucket, path, log, line, text }) => {
      const run = runs.get(`${bucket}/${path}`)
      return [...(run ? runRow(run) : ['', path, '', '']), log, line, text]
    }),
  }
}

export function coverageSheet({ days, jobs, types, signatures, failed, died }: CoverageView): Sheet {
  return {
    head: [
      ['failed runs', failed],
      ['died of a known failure', died],
    ],
    columns: ['by', 'value', 'failed', 'died of a known failure'],
    rows: [
      ...days.map((row) => ['day', row.day, row.failed, row.died]),
      ...jobs.map((row) => ['job', row.job, row.failed, row.died]),
      ...Object.entries(types).map(([type, row]) => ['kind of run', type, row.failed, row.died]),
      ...signatures.map(({ signature, share }) => ['signature', signature, share.whole, share.part]),
    ],
  }
}

export function groupsSheet({ unknown, groups }: GroupsView): Sheet {
  return {
    head: [['failed runs that died of nothing known', unknown]],
    columns: ['group', 'runs', 'first seen', 'new', 'jobs', 'text'],
    rows: groups.map(({ id, runs, firstSeen, isNew, jobs, example }) => [
      ...[id, runs, firstSeen, isNew ? 'new' : '', jobs.map(({ job }) => job).join(' '), example.failure.text],
    ]),
  }
}

export function groupSheet({ id, folded, group, firstSeen, proposal, examples }: GroupView): Sheet {
  return {
    head: [
      ['group', id],
      ['text', folded],
      ['runs', group?.runs ?? 0],
      ['first seen', firstSeen],
      ['a regex that would know it', proposal?.regex],
    ],
    columns: [...RUN, 'log', 'line', 'text'],
    rows: examples.map(({ run, failure }) => [...runRow(run), failure.log, failure.line, failure.text]),
  }
}

export function statusSheet({ freshness, store, buckets }: StatusView): Sheet {
  return {
    head: [
      ['state', freshness.state],
      ['read to', instant(freshness.readTo)],
      ['complete to', instant(freshness.completeTo)],
      ['runs', freshness.runs],
      ['runs that could not be read', store.problemCount],
      ['bytes stored', store.storedBytes],
    ],
    columns: ['bucket', 'complete to', 'lag in s', 'queue', 'retrying', 'given up', 'gaps', 'error'],
    rows: buckets.map(({ bucket, completeTo, lag, queue, retrying, givenUp, gaps, error }) => [
      ...[
        bucket,
        instant(completeTo),
        lag === undefined ? undefined : Math.round(lag / 1000),
        queue,
        retrying,
        givenUp,
      ],
      ...[gaps.filter(({ filledAt }) => filledAt === undefined).length, error],
    ]),
  }
}

export function countsSheet({ lines, runs, failedRuns, linesOf, patterns, byJob, days }: SearchCounts): Sheet {
  return {
    columns: ['by', 'value', 'lines', 'runs', 'failed runs'],
    rows: [
      ['all', '', lines, runs, failedRuns],
      ...patterns.map((row, at) => ['pattern', row.pattern, linesOf[at], row.runs, row.failedRuns]),
      ...byJob.map((row) => ['job', row.job, row.lines, row.runs, row.failedRuns]),
      ...days.map((row) => ['day', row.day, undefined, row.runs, row.failedRuns]),
    ],
  }
}

export function tallySheet({ values }: TallyView): Sheet {
  return { columns: ['value', 'lines', 'runs'], rows: values.map(({ value, lines, runs }) => [value, lines, runs]) }
}

export function pullSheet({ commits }: PullView): Sheet {
  return {
    columns: ['commit', ...RUN, 'known', 'died of', 'bugs', 'line it failed with'],
    rows: commits.flatMap(({ sha, failed }) =>
      failed.map(({ run, words, died, failure }) => [
        ...[sha, ...runRow(run), words, died.map(({ title }) => title).join('; ')],
        ...[died.flatMap(({ bugs }) => bugs).join(' '), failure?.text],
      ]),
    ),
  }
}
