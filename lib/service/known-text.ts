import { printable } from '../text/printable.ts'
import type { KnownAnswer } from './ask-known.ts'
import type { PullView } from './pull.ts'
import { failedWords, pullHeadline } from './pull-words.ts'
import type { KnownFailure, RunKnown } from './run-known.ts'

/** An answer for `grep` and terminals: what is said first, then a line a fact. `site` stands before addresses of pages. */
export function knownText({ words, runs }: KnownAnswer, site = ''): string {
  return [words, ...runs.flatMap((run) => runLines(run, site))].map((line) => `${printable(line)}\n`).join('')
}

function runLines({ run, links, died, survived, failure }: RunKnown, site: string): string[] {
  return [
    `  ${run.job} ${run.buildId}: ${run.result}  ${site}${links.prowl}`,
    ...died.flatMap((known) => failureLines('died of', known, site)),
    ...survived.flatMap((known) => failureLines('struck by', known, site)),
    ...(failure ? [`  failed with: ${failure.log}:${failure.line}: ${failure.text.split('\n')[0]}`] : []),
    ...(failure && failure.others > 0 ? [`  others: ${othersWords(failure.others)}`] : []),
  ]
}

/** `12 other runs failed with such a line in 14 days` */
export function othersWords(others: number): string {
  return `${others} other ${others === 1 ? 'run' : 'runs'} failed with such a line in 14 days`
}

function failureLines(verb: string, { id, title, bugs, advice, hit, links }: KnownFailure, site: string): string[] {
  return [
    `  ${verb}: ${title} (${id})`,
    ...bugs.map((bug) => `  bug: ${bug}`),
    ...(advice === undefined ? [] : [`  advice: ${advice.replace(/\s+/g, ' ').trim()}`]),
    `  line: ${hit.log}:${hit.line}: ${hit.text}  ${site}${links.prowl}`,
  ]
}

const COLUMNS = ['state', 'job', 'build', 'what is known', 'bug', 'page']

/** A pull request's failed runs: what its page says first, then a line a run, columns apart by tabs, commit by commit. */
export function pullText(view: PullView, site = ''): string {
  const { reach, commits } = view
  const lines = [
    pullHeadline(view),
    [reach.words, ...reach.warnings].join('; '),
    ...commits.flatMap((commit, i) => [
      '',
      `${i === 0 ? 'newest' : 'superseded'}: ${failedWords(commit)}`,
      ...(commit.failed.length === 0 ? [] : [COLUMNS.join('\t')]),
      ...commit.failed.map((run) =>
        [
          run.state,
          run.run.job,
          run.run.buildId,
          run.words,
          run.died.flatMap(({ bugs }) => bugs).join(' ') || '–',
          site + run.links.prowl,
        ]
          .map((cell) => printable(cell.replace(/\s+/g, ' ')))
          .join('\t'),
      ),
    ]),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
