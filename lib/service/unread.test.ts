import { expect, test } from 'vitest'
import { snowflakeAt } from '../model/build-id.ts'
import type { Gap } from '../model/gap.ts'
import type { IngestState } from '../model/ingest-state.ts'
import { DAY, HOUR, MINUTE } from '../testing/values.ts'
import { type NamedRun, type UnreadFacts, type UnreadRun, unreadOf } from './unread.ts'

const NOW = Date.UTC(2026, 10, 3, 9, 14)
const FOLLOWED: IngestState = {
  bucket: 'gs://test-platform-results',
  passStartedAt: NOW - 40_000,
  passFinishedAt: NOW - 20_000,
  completeTo: NOW - 20 * MINUTE,
  done: 9,
  total: 9,
  followEverySeconds: 60,
}
const { followEverySeconds: _, ...ONCE } = FOLLOWED
const { passFinishedAt: __, ...GOING } = { ...FOLLOWED, done: 3 }
const GAP: Gap = { from: NOW - 5 * HOUR, to: NOW - 4 * HOUR, why: 'down', detail: 'no pass of the worker ended' }
const FACTS: UnreadFacts = { states: [FOLLOWED], gaps: [], problems: [], oldest: NOW - 30 * DAY, late: false, now: NOW }

function named(began: number | string, more: Partial<NamedRun> = {}): NamedRun {
  const buildId = typeof began === 'string' ? began : snowflakeAt(began)
  return { bucket: 'origin-ci-test', path: `logs/e2e/${buildId}`, job: 'e2e', buildId, ...more }
}

const NEW = named(NOW - MINUTE)

test.each<[string, NamedRun, Partial<UnreadFacts>, UnreadRun['why'], RegExp, number | undefined]>([
  ['nothing read yet', NEW, { states: [] }, 'never', /^Nothing was read yet/, undefined],
  ['another bucket', named(NOW, { bucket: 'x' }), {}, 'bucket', /^Its bucket, x, is not .*: npm run ingest/, undefined],
  ['too new', NEW, {}, 'new', /^It began about 3 Nov 2026 09:13 UTC, .* pass begins at 3 Nov 2026 09:14 UTC/, 20_000],
  ['too new, a pass under way', NEW, { states: [GOING] }, 'new', /A pass is under way .*: 3 of 9 runs/, 20_000],
  ['too new, nobody follows', NEW, { states: [ONCE] }, 'new', /No worker follows the bucket/, undefined],
  ['too new, the worker is behind', NEW, { late: true }, 'new', /The worker is behind/, 20_000],
  ['a pass is due', NEW, { now: NOW + HOUR }, 'new', /The next pass is about to begin/, HOUR],
  ['in a gap', named(NOW - 4.5 * HOUR), { gaps: [GAP] }, 'gap', /in a time in which the worker missed runs/, 20_000],
  [
    'in a gap made up for',
    named(NOW - 4.5 * HOUR),
    { gaps: [{ ...GAP, filledAt: NOW }] },
    'absent',
    /its job is left out/,
    undefined,
  ],
  ['older than all', named(NOW - 40 * DAY), {}, 'old', /before the oldest run here .*gs:\/\/origin-ci-test/, undefined],
  ['of a time that is in', named(NOW - DAY), {}, 'absent', /runs of that time are in/, undefined],
  ['a number that tells no time', named('8664'), {}, 'unknown', /its id does not say when/, 20_000],
  [
    'one that could not be read',
    NEW,
    {
      problems: [
        { bucket: 'gs://b', path: String(NEW.path), code: 'OBJECT_BROKEN', message: 'gzip ended early', at: NOW },
      ],
    },
    'failed',
    /^It could not be read: OBJECT_BROKEN: gzip ended early\./,
    20_000,
  ],
])('%s', (_name, run, facts, why, words, next) => {
  const unread = unreadOf(run, { ...FACTS, ...facts })
  expect(unread.why).toBe(why)
  expect(unread.sentences.join(' ')).toMatch(words)
  expect(unread.nextPass).toBe(next === undefined ? undefined : NOW + next)
})
