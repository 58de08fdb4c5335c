import { z } from 'zod'
import { Evidence, type EvidenceLine } from '../../model/evidence.ts'
import type {
  EvidenceNow,
  EvidenceRunView,
  EvidenceView,
  KnownBugs,
  NowColumn,
  NowCounts,
} from '../../service/evidence-view.ts'
import { RunLinks } from './run.ts'
import { Count, shape, Time, texts } from './shape.ts'

const counts = {
  incidents: Count.exactOptional(),
  lines: Count.exactOptional(),
  runs: Count,
  failedRuns: Count.exactOptional(),
  partial: z.literal(true).exactOptional(),
}

const Now = shape<EvidenceNow>()({
  at: Time,
  columns: z.array(shape<NowColumn>()({ ...counts, rules: z.enum(['frozen', 'today']).exactOptional() })),
  since: shape<NowCounts>()(counts).exactOptional(),
  notes: texts,
})

const { content } = Evidence.shape
const Line = content.shape.lines.element

export const EvidenceAnswer = shape<EvidenceView>()({
  evidence: Evidence.meta({ id: 'Evidence', description: 'A frozen answer' }),
  headline: z.tuple([z.string(), z.string()]),
  source: z.string(),
  now: Now,
  runs: z.array(
    shape<EvidenceRunView>()({
      run: content.shape.runs.element,
      lines: z.array(
        shape<{ readonly line: EvidenceLine; readonly links: EvidenceRunView['lines'][number]['links'] }>()({
          line: Line,
          links: RunLinks,
        }),
      ),
      text: z.enum(['kept', 'expired', 'unknown']),
    }),
  ),
  known: z.array(shape<KnownBugs>()({ id: z.string(), title: z.string(), bugs: texts, lines: Count })),
  trackers: z.array(shape<EvidenceView['trackers'][number]>()({ name: z.string(), link: z.string() })),
  texts: shape<EvidenceView['texts']>()({ markdown: z.string(), jira: z.string(), plain: z.string() }),
})
