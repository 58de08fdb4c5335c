import { z } from 'zod'
import type { KnownAnswer as KnownModel } from '../../service/ask-known.ts'
import type { PullView } from '../../service/pull.ts'
import type { KnownFailure as KnownFailureModel, RunKnown as RunKnownModel } from '../../service/run-known.ts'
import type { UnreadRun as UnreadModel } from '../../service/unread.ts'
import { FailureLine, Run, RunCounts, RunLinks } from './run.ts'
import { Lack, Reach } from './search.ts'
import { Count, shape, Time, texts } from './shape.ts'

const KnownFailure = shape<KnownFailureModel>()({
  id: z.string(),
  title: z.string(),
  bugs: texts,
  advice: z.string().exactOptional(),
  hit: shape<KnownFailureModel['hit']>()({ log: z.string(), line: Count, text: z.string(), cause: z.string() }),
  links: RunLinks,
}).meta({ id: 'KnownFailure', description: 'A known failure of a run, at its first line' })

const fields = {
  run: Run,
  links: RunLinks,
  state: z
    .enum(['known', 'not', 'unsure', 'passed', 'ended', 'pending'])
    .meta({ description: '`unsure`: nothing known was found, which may be for what `unsure` says' }),
  words: z.string(),
  died: z.array(KnownFailure).meta({ description: 'What it died of' }),
  survived: z.array(KnownFailure).meta({ description: 'What struck it, and did not end it' }),
  unsure: texts,
  failure: shape<NonNullable<RunKnownModel['failure']>>()({
    ...FailureLine.shape,
    links: RunLinks,
    others: Count.meta({
      description: 'Failed runs of the last 14 days that have such a line, but for those told here',
    }),
  }).exactOptional(),
}
const RunKnown = shape<RunKnownModel>()(fields).meta({ id: 'RunKnown' })

const UnreadRun = shape<UnreadModel>()({
  bucket: z.string().exactOptional(),
  path: z.string().exactOptional(),
  job: z.string().exactOptional(),
  buildId: z.string(),
  began: Time.exactOptional(),
  why: z.enum(['never', 'bucket', 'failed', 'new', 'gap', 'old', 'absent', 'unknown']),
  nextPass: Time.exactOptional().meta({ description: 'When the next pass begins that may read it' }),
  sentences: texts,
}).meta({ id: 'UnreadRunNamed', description: 'Why a run has not been read, and when it will be' })

const worth = {
  completeTo: Time.exactOptional().meta({ description: 'All runs that started before are in' }),
  reach: Reach,
}

export const KnownAnswer = shape<KnownModel>()({
  answer: z.enum(['known', 'not', 'undecided', 'unread']),
  words: z.string(),
  runs: z.array(RunKnown),
  unread: UnreadRun.exactOptional(),
  partial: z.array(Lack),
  ...worth,
})

type Commit = PullView['commits'][number]

export const PullAnswer = shape<PullView>()({
  pull: shape<PullView['pull']>()({
    org: z.string(),
    repo: z.string(),
    number: Count,
    name: z.string(),
    github: z.string().exactOptional(),
    history: z.string().exactOptional(),
  }),
  commits: z.array(
    shape<Commit>()({
      sha: z.string().exactOptional(),
      runs: RunCounts,
      failed: z.array(
        shape<Commit['failed'][number]>()({ ...fields, passedSince: Run.exactOptional(), beside: z.array(Count) }),
      ),
      pending: z.array(Run),
    }),
  ),
  partial: z.array(z.enum([...Lack.options, 'limit'])),
  ...worth,
})
