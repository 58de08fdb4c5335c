import type { Style } from './jobs.ts'
import { MINUTE } from './story.ts'

/** How a run fails by itself, beside the planned outages. */
export interface Failure {
  readonly id: string
  readonly styles: readonly Style[]
  /** Relative to the other failures of the same style. */
  readonly weight: number
  /** Length of a run that dies of it, minutes; an ordinary length where absent. */
  readonly minutes?: readonly [number, number]
  /** How long before the run's end its line is written, ms. */
  readonly beforeEnd: number
  /** No signature knows it. */
  readonly unexplained?: true
}

const E2E = ['template', 'steps'] as const

export const FAILURES: readonly Failure[] = [
  { id: 'e2e.condition_timeout', styles: [...E2E, 'kubetest'], weight: 32, beforeEnd: 14 * MINUTE },
  { id: 'installer.timeout', styles: E2E, weight: 15, minutes: [58, 84], beforeEnd: 10 * MINUTE },
  { id: 'cloud.quota', styles: E2E, weight: 11, minutes: [24, 40], beforeEnd: 9 * MINUTE },
  { id: 'dns.timeout', styles: E2E, weight: 16, minutes: [58, 84], beforeEnd: 9 * MINUTE },
  { id: 'dns.timeout', styles: ['images', 'unit'], weight: 12, minutes: [6, 12], beforeEnd: MINUTE },
  { id: 'lease.exhausted', styles: ['kubetest'], weight: 12, minutes: [31, 34], beforeEnd: MINUTE },
  { id: 'unknown.upgrade', styles: E2E, weight: 15, beforeEnd: 12 * MINUTE, unexplained: true },
  { id: 'unknown.node', styles: E2E, weight: 10, beforeEnd: 13 * MINUTE, unexplained: true },
  { id: 'unknown.space', styles: ['images', 'kubetest'], weight: 16, beforeEnd: 2 * MINUTE, unexplained: true },
  { id: 'unknown.panic', styles: ['unit'], weight: 26, beforeEnd: MINUTE, unexplained: true },
  { id: 'unknown.go_test', styles: ['unit'], weight: 20, beforeEnd: MINUTE, unexplained: true },
]

/** Share of runs of a style that fail by themselves. */
export const FAILURE_SHARE: Readonly<Record<Style, number>> = {
  template: 0.2,
  steps: 0.21,
  images: 0.09,
  unit: 0.14,
  kubetest: 0.24,
}
