import type { Evidence, EvidenceContent } from '../model/evidence.ts'
import { SAMPLE_TIME } from './records.ts'

/** An evidence of a search that found nothing; its id is that of its digest. */
export function sampleEvidence({
  content,
  ...over
}: Partial<Omit<Evidence, 'content'>> & { readonly content?: Partial<EvidenceContent> } = {}): Evidence {
  const digest = over.digest ?? 'ab'.repeat(32)
  return {
    version: 1,
    id: over.id ?? '0123456789',
    digest,
    content: {
      asked: { kind: 'search', search: 'search=EOF' },
      counts: { lines: 0, runs: 0, failedRuns: 0, jobs: 0, pulls: 0 },
      lines: [],
      runs: [],
      definitions: [],
      ...content,
    },
    frozenAt: SAMPLE_TIME,
    range: { from: SAMPLE_TIME - 86_400_000, to: SAMPLE_TIME, rolling: true },
    data: { state: 'fresh', runs: 1, pending: 0, truncatedLogs: 0, brokenLogs: 0, lacking: [] },
    sentences: [],
    signatures: [],
    bugs: [],
    ...over,
  }
}
