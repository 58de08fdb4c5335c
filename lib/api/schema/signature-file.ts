import { z } from 'zod'
import { LOG_KINDS } from '../../model/run.ts'
import type {
  Cause,
  Change as ChangeModel,
  ChangeScope,
  Signature as SignatureModel,
  SignatureStatus,
} from '../../model/signature.ts'
import type { Catalogue, CatalogueProblem as CatalogueProblemModel } from '../../signature/catalogue.ts'
import { Count, shape, Time, texts } from './shape.ts'

const regexes = texts.meta({ description: 'RE2' })

export const Change = shape<ChangeModel>()({
  at: Time,
  title: z.string(),
  link: z.string().exactOptional(),
  datedByLink: z.literal(true).exactOptional(),
  scope: shape<ChangeScope>()({
    branches: texts.exactOptional(),
    jobs: texts.exactOptional(),
    clusters: texts.exactOptional(),
  }).exactOptional(),
}).meta({ id: 'Change', description: 'Something people did at a time' })

export const Signature = shape<SignatureModel>()({
  id: z.string(),
  title: z.string(),
  advice: z.string().exactOptional(),
  kind: z.enum(['outage', 'per-run']),
  regexes,
  excludes: regexes,
  excludeJobs: regexes,
  logs: z.array(z.enum(LOG_KINDS)),
  causes: z.array(shape<Cause>()({ id: z.string(), title: z.string(), regex: z.string() })),
  part: shape<NonNullable<SignatureModel['part']>>()({ of: z.string(), causes: texts }).exactOptional(),
  yieldsTo: texts,
  witness: z.string().exactOptional(),
  clock: shape<NonNullable<SignatureModel['clock']>>()({ start: z.string(), everySeconds: z.number() }).exactOptional(),
  windowMs: z.number(),
  maxSpanMs: z.number(),
  status: shape<SignatureStatus>()({
    state: z.enum(['active', 'muted', 'retired']),
    until: Time.exactOptional(),
    reason: z.string().exactOptional(),
  }),
  owner: z.string().exactOptional(),
  chat: z.string().exactOptional(),
  component: z.string().exactOptional(),
  blames: z.enum(['infra', 'product', 'test']).exactOptional(),
  bugs: texts,
  closedBugs: z
    .array(shape<NonNullable<SignatureModel['closedBugs']>[number]>()({ bug: z.string(), at: Time }))
    .exactOptional(),
  changes: z.array(Change),
  replaces: texts,
  samples: shape<SignatureModel['samples']>()({ match: texts, noMatch: texts }),
  source: shape<SignatureModel['source']>()({ file: z.string(), line: Count }),
  definition: z.string(),
}).meta({ id: 'Signature', description: 'A known failure, as its file defines it (docs/signatures.md)' })

export const CatalogueProblem = shape<CatalogueProblemModel>()({
  file: z.string(),
  line: Count,
  signature: z.string().exactOptional(),
  message: z.string(),
}).meta({ id: 'CatalogueProblem' })

export const CatalogueAnswer = shape<Catalogue>()({
  signatures: z.array(Signature),
  problems: z.array(CatalogueProblem),
})
