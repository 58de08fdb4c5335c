import { z } from 'zod'
import { SearchParameters } from '../search/query.ts'
import { operation, WORTH } from './operation.ts'
import { Days, LogName, TallyTop, WindowQuery } from './parameters.ts'
import { EvidenceAnswer } from './schema/evidence.ts'
import { IncidentAnswer } from './schema/incident.ts'
import { KnownAnswer, PullAnswer } from './schema/known.ts'
import { RunAnswer } from './schema/run.ts'
import { SearchAnswer } from './schema/search.ts'
import { FiguresAnswer, PreviewAnswer, SignatureAnswer } from './schema/signature.ts'
import { CatalogueAnswer } from './schema/signature-file.ts'
import { StatusAnswer } from './schema/status.ts'
import { CountsAnswer, TallyAnswer } from './schema/tally.ts'
import { BugAnswer, CoverageAnswer, GroupAnswer, GroupsAnswer, TriageAnswer } from './schema/triage.ts'

const name = (description: string, example: string) => z.string().min(1).meta({ description, example })
const signature = { id: name('Of the signature, as its file says', 'boskos.heartbeat') }
const run = {
  scheme: name('`gs`, or `dir` of a directory', 'gs'),
  bucket: name('Its name', 'origin-ci-test'),
  path: name('Of the run in it; its slashes may be escaped', 'logs/periodic-e2e-aws/8664'),
}
const REGEX = ['REGEX_SYNTAX', 'REGEX_UNSUPPORTED', 'REGEX_TOO_LARGE'] as const
const PREVIEW_ERRORS = [...REGEX, 'NOT_FOUND', 'EDIT_INVALID', 'EDIT_TOO_LARGE', 'SEARCH_DEADLINE'] as const
const yaml = z.string().meta({ description: 'The entry as edited; a whole file where the id is `new`' })

/** All that the API does. */
export const OPERATIONS = {
  search: operation('search', {
    path: '/search',
    summary: 'Lines that match, newest run first, with counts',
    query: SearchParameters,
    readsQuery: true,
    answer: SearchAnswer,
    moving: ['range', 'headline', 'ms', 'next'],
    formats: ['json', 'ndjson', 'text', 'csv'],
    headers: {
      link: z.string().meta({ description: 'The next page: `<address>; rel="next"`' }),
      'prowl-cut': z.string().meta({ description: 'What the answer lacks, in words' }),
      ...WORTH,
    },
    errors: [...REGEX, 'SEARCH_DEADLINE'],
  }),
  searchCounts: operation('searchCounts', {
    path: '/search/count',
    summary: 'Every matching line counted: in all, by pattern, job and day',
    query: SearchParameters,
    readsQuery: true,
    answer: CountsAnswer,
    moving: ['range', 'ms'],
    formats: ['json', 'text', 'csv'],
    headers: WORTH,
    errors: [...REGEX, 'SEARCH_DEADLINE'],
  }),
  tally: operation('tally', {
    path: '/tally',
    summary: 'What a capture group caught, the most frequent first',
    query: SearchParameters.extend({
      tally: z.enum(['line', 'run']).optional().meta({ description: 'What values are counted and sorted by' }),
      group: z.string().optional().meta({ description: 'Name or number of the capture group; 0: the whole match' }),
      top: TallyTop,
    }),
    readsQuery: true,
    answer: TallyAnswer,
    moving: ['range', 'ms', 'permanent'],
    formats: ['json', 'text', 'csv'],
    headers: { ...WORTH, 'prowl-cut': z.string().meta({ description: 'What the answer lacks, in words' }) },
    errors: [...REGEX, 'SEARCH_DEADLINE'],
  }),
  known: operation('known', {
    path: '/known',
    summary: 'Whether the failure of a run is known',
    query: z.object({
      run: z.string().optional().meta({
        description: 'Its address in any form (Prow, Spyglass, gcsweb, `gs://`), or a build id',
        example: 'gs://origin-ci-test/logs/periodic-e2e-aws/8664',
      }),
    }),
    answer: KnownAnswer,
    formats: ['json', 'text'],
    headers: { ...WORTH, 'prowl-known': z.string().meta({ description: 'The answer in one word' }) },
  }),
  pull: operation('pull', {
    path: '/prs/{org}/{repo}/{number}',
    summary: 'The failed runs of a pull request, and what is known of each',
    names: {
      org: name('On GitHub', 'openshift'),
      repo: name('Its name', 'origin'),
      number: name('Of the pull request', '23456'),
    },
    answer: PullAnswer,
    formats: ['json', 'text', 'csv'],
    headers: WORTH,
  }),
  run: operation('run', {
    path: '/runs/{scheme}/{bucket}/{path}',
    summary: 'A run, its logs, the known failures that hit it, and a window of one log',
    names: run,
    query: WindowQuery,
    answer: RunAnswer,
    moving: ['ms'],
    formats: ['json', 'text', 'csv'],
    errors: [...REGEX, 'NOT_FOUND', 'SEARCH_DEADLINE'],
  }),
  raw: operation('raw', {
    path: '/raw/{scheme}/{bucket}/{path}',
    summary: 'The bytes of one log',
    names: run,
    query: z.object({ log: LogName.default('build-log.txt') }),
    answer: z.string(),
    formats: ['text'],
    statuses: [200, 206],
    requestHeaders: {
      range: z.string().meta({ description: 'One range of bytes; not of a log that was cut', example: 'bytes=0-1023' }),
      'if-range': z.string().meta({ description: 'An ETag: of another version all is sent' }),
      'if-none-match': z.string().meta({ description: 'ETags of what the reader has' }),
    },
    headers: {
      etag: z.string().meta({ description: 'Of the bytes: strong' }),
      'accept-ranges': z.string().meta({ description: '`bytes`, unless the log was cut' }),
      'content-range': z.string().meta({ description: 'Which bytes these are, of how many' }),
      'content-disposition': z.string().meta({ description: 'A name for the file' }),
      'prowl-truncated-from': z.string().meta({ description: 'Bytes there were before a log was cut' }),
    },
    errors: ['NOT_FOUND', 'RANGE_UNSATISFIABLE'],
  }),
  signatures: operation('signatures', {
    path: '/signatures',
    summary: 'The known failures as their files define them, and what is wrong with those files',
    answer: CatalogueAnswer,
    formats: ['json', 'text', 'csv'],
  }),
  signature: operation('signature', {
    path: '/signatures/{id}',
    summary: 'One known failure: cadence, verdict, incidents, hours watched, hits',
    names: signature,
    counts: true,
    answer: SignatureAnswer,
    formats: ['json', 'text', 'csv'],
    moving: ['window'],
    errors: ['NOT_FOUND'],
  }),
  figures: operation('figures', {
    path: '/signatures/{id}/figures',
    summary: 'Where a failure strikes, and how good its signature is',
    names: signature,
    counts: true,
    answer: FiguresAnswer,
    formats: ['json', 'text', 'csv'],
    moving: ['window'],
    errors: ['NOT_FOUND'],
  }),
  preview: operation('preview', {
    path: '/signatures/{id}/preview',
    summary: 'What an edit would change; without one, the entry as its file has it',
    names: { id: signature.id.meta({ description: 'Of the signature, or `new`' }) },
    query: z.object({ yaml: yaml.optional() }),
    answer: PreviewAnswer,
    errors: PREVIEW_ERRORS,
  }),
  tryEdit: operation('tryEdit', {
    method: 'post',
    path: '/signatures/{id}/preview',
    summary: 'The same, of an edit that is longer than an address may be; nothing is written',
    names: { id: signature.id.meta({ description: 'Of the signature, or `new`' }) },
    body: { 'application/yaml': yaml, 'text/plain': yaml },
    answer: PreviewAnswer,
    errors: PREVIEW_ERRORS,
  }),
  incident: operation('incident', {
    path: '/incidents/{id}',
    summary: 'One incident: its runs, their heartbeats and hits, what became of each',
    names: { id: name('Of the incident, or one that it had before', '0v5k2m8q1c') },
    counts: true,
    answer: IncidentAnswer,
    formats: ['json', 'text', 'csv'],
    errors: ['NOT_FOUND'],
  }),
  freeze: operation('freeze', {
    method: 'post',
    path: '/evidence',
    summary: 'Freezes an answer, for good',
    body: {
      'application/json': z.union([
        z.strictObject({ query: z.string().meta({ description: 'Parameters of a search' }) }),
        z.strictObject({ signature: z.string() }),
        z.strictObject({ incident: z.string() }),
      ]),
    },
    answer: EvidenceAnswer,
    statuses: [201, 200],
    headers: { location: z.string().meta({ description: 'Its page' }) },
    errors: [...REGEX, 'NOT_FOUND', 'REQUEST_CROSS_SITE', 'SEARCH_DEADLINE'],
  }),
  evidence: operation('evidence', {
    path: '/evidence/{id}',
    summary: 'A frozen answer, and what is found today; as text, what to paste into a bug',
    names: { id: name('Of the evidence', '0v5k2m8q1c') },
    answer: EvidenceAnswer,
    moving: ['at'],
    formats: ['json', 'text', 'csv'],
    errors: ['NOT_FOUND'],
  }),
  bug: operation('bug', {
    path: '/bugs/{key}',
    summary: 'The signatures that name a bug, with verdict and newest incidents, and what was frozen of them',
    names: { key: name('A bug’s key or its address, escaped', 'OCPBUGS-123') },
    counts: true,
    answer: BugAnswer,
    formats: ['json', 'text', 'csv'],
  }),
  triage: operation('triage', {
    path: '/triage',
    summary: 'One row a known failure, and what is new',
    query: z.object({
      since: z
        .string()
        .optional()
        .meta({ description: 'A UTC time, or a duration before now; yesterday at 09:00 UTC unless given' }),
      owner: z.string().optional().meta({ description: 'Whose failures; `none` for those that nobody owns' }),
    }),
    counts: true,
    answer: TriageAnswer,
    moving: ['window', 'since'],
    formats: ['json', 'text', 'csv'],
  }),
  coverage: operation('coverage', {
    path: '/coverage',
    summary: 'How many failed runs died of a known failure; the others in groups',
    query: z.object({ days: Days }),
    counts: true,
    answer: CoverageAnswer,
    formats: ['json', 'text', 'csv'],
    moving: ['window'],
  }),
  groups: operation('groups', {
    path: '/groups',
    summary: 'Failures that no signature knows, in groups',
    query: z.object({ days: Days }),
    counts: true,
    answer: GroupsAnswer,
    formats: ['json', 'text', 'csv'],
    moving: ['window'],
  }),
  group: operation('group', {
    path: '/groups/{id}',
    summary: 'One group of unexplained failures, and the signature that would know them',
    names: { id: name('Of the group', 'ab12') },
    query: z.object({ days: Days }),
    counts: true,
    answer: GroupAnswer,
    formats: ['json', 'text', 'csv'],
    moving: ['window'],
    errors: ['NOT_FOUND'],
  }),
  status: operation('status', {
    path: '/status',
    summary: 'How far the data reaches, and what could not be read',
    counts: true,
    answer: StatusAnswer,
    formats: ['json', 'text', 'csv'],
    moving: ['lag', 'searching'],
  }),
} as const
