import type { LogKind } from '../model/run.ts'

/** How a line looks that says why a run failed. */
export interface FailureRule {
  readonly id: string
  /** One of these is on the line; by them most text is passed over without trying the regex. */
  readonly needles: readonly string[]
  /** Matches somewhere on the line (flag `m`), never across lines. */
  readonly like: RegExp
  /** Of the dozen lines that follow, the one that says more: `beside` the line, or `instead` of it. */
  readonly detail?: { readonly like: RegExp; readonly as: 'beside' | 'instead' }
  /** Logs it is looked for in; absent: all that are looked at. */
  readonly kinds?: readonly LogKind[]
}

/**
 * The best first: what names a cause comes before what only tells that something failed. In one log, and among logs of
 * equal rank, the first line counts: what follows a failure is mostly its consequence.
 */
export const FAILURE_RULES: readonly FailureRule[] = [
  {
    id: 'panic',
    needles: ['panic: ', 'fatal error: '],
    like: /^(?:panic: |fatal error: )\S/m,
    detail: { like: /^(?!(?:runtime|testing|panic)\b)(?:[\w.-]+\/)+[\w.*()-]+\(.*\)$/, as: 'beside' },
  },
  {
    id: 'test',
    needles: ['fail [', 'FAIL: ', '[FAIL'],
    like: /(?:\bfail \[[^\]\n]*\]: |(?<!--- )\bFAIL: |\[FAIL(?:ED)?\] )\S/m,
  },
  {
    id: 'go-test',
    needles: ['--- FAIL: '],
    like: /^ {0,8}--- FAIL: \S/m,
    detail: { like: /^\s+\S+_test\.go:\d+: \S/, as: 'instead' },
  },
  {
    id: 'compiler',
    needles: ['.go:', '.rs:', '.c:', '.cc:', '.cpp:', '.h:', '.java:', '.kt:', '.ts:', '.tsx:', '.py:'],
    like: /^[^\s:]{1,300}\.(?:go|rs|c|cc|cpp|h|java|kt|tsx?|py):\d+:\d+: (?!warning|note)\S/m,
  },
  { id: 'git', needles: ['CONFLICT (', 'fatal: '], like: /^(?:CONFLICT \(|fatal: )\S/m },
  {
    id: 'resources',
    needles: ['No space left on device', 'node was low on resource', 'OOMKilled', 'Out of memory: Killed process'],
    like: /\b(?:No space left on device|node was low on resource|OOMKilled|Out of memory: Killed process)\b/m,
  },
  // Terraform's reason, as OpenShift's installer tells it before it gives up.
  { id: 'terraform', needles: ['level=error'], like: /\blevel=error msg="?Error: \S/m },
  { id: 'fatal', needles: ['FATA[', 'level=fatal'], like: /(?:^FATA\[|\blevel=fatal msg=)\S/m },
  {
    id: 'error',
    needles: ['ERRO[', 'level=error'],
    like: /(?:^ERRO\[[^\]\n]*\] ?(?!Some steps failed|Step \S+ failed)|\blevel=error msg=)(?!.*\bcould not run steps: )\S/m,
  },
  // The failure's first line; a test's name is on the line before it.
  { id: 'junit', needles: ['# '], like: /(?<=^# .*\n)(?!# )\s*\S/m, kinds: ['junit'] },
  { id: 'step', needles: ['could not run steps: ', 'Step '], like: /\b(?:could not run steps: \S|Step \S+ failed\b)/m },
  {
    id: 'plain',
    needles: ['rror: ', 'ERROR: ', 'npm ERR! '],
    like: /^(?:(?:error|Error|ERROR): (?!failed because an invariant)|npm ERR! )\S/m,
  },
  { id: 'prow', needles: ['ProwJob '], like: /^ProwJob \S/m, kinds: ['prow'] },
  {
    id: 'exit',
    needles: ['***', 'exit', 'Container '],
    like: /(?:\bmake(?:\[\d+\])?: \*\*\* |\bexit(?:ed with)? (?:code|status):? [1-9]|\bContainer \S+ in pod \S+ failed\b)/m,
  },
]
