import pasted from './pasted.json' with { type: 'json' }

/**
 * `literal`: holds words that few blocks hold. `common`: of words that nearly every block holds. `none`: no literal at
 * all. `quadratic`: where a backtracking matcher takes the square of a line's length. `pasted`: from people's bug reports.
 */
export type PatternKind = 'literal' | 'common' | 'none' | 'quadratic' | 'pasted'

export interface Pattern {
  readonly name: string
  readonly kind: PatternKind
  /** RE2; smart case. */
  readonly pattern: string
  /** Of a quadratic one: name of the row that finds the same without a leading `.*`. */
  readonly base?: string
}

const TUNED: readonly Pattern[] = [
  { name: 'boskos EOF', kind: 'literal', pattern: 'boskos.ci.*EOF' },
  { name: 'no route', kind: 'literal', pattern: 'no route to host' },
  { name: 'heartbeat', kind: 'literal', pattern: 'failed to send heartbeat for resource' },
  { name: 'rare', kind: 'literal', pattern: 'DiskPressureEvictionLoop' },
  { name: 'rare uuid', kind: 'literal', pattern: '96d3f5a8-c408-4762-91de-56d9add422a4' },
  { name: 'icase', kind: 'literal', pattern: '(?i)FAILED to create POD sandbox' },
  { name: 'smart case', kind: 'literal', pattern: 'failed to create pod sandbox' },
  {
    name: 'alternation',
    kind: 'literal',
    pattern: 'etcdserver: request timed out|mvcc: database space exceeded|raft: stopped unexpectedly',
  },
  { name: 'common words, none', kind: 'literal', pattern: 'failed to attach network to container' },
  { name: 'class', kind: 'literal', pattern: 'dial tcp [0-9.]+:6443: connect: no route' },
  { name: 'anchored', kind: 'literal', pattern: '^level=fatal msg="Bootstrap failed to complete.*[0-9]s"$' },
  { name: 'instance', kind: 'literal', pattern: 'Error waiting for instance .* to become ready' },
  { name: 'lookup', kind: 'literal', pattern: 'dial tcp: lookup .+: no such host' },
  { name: 'panic', kind: 'common', pattern: 'panic' },
  { name: 'level=error', kind: 'common', pattern: 'level=error' },
  { name: 'connection refused', kind: 'common', pattern: 'connection refused' },
  { name: 'timed out', kind: 'common', pattern: '[Tt]imed out' },
  { name: 'durations', kind: 'none', pattern: '[0-9]+m[0-9]+\\.[0-9]{3}s' },
  { name: 'addresses', kind: 'none', pattern: '\\b10(\\.[0-9]{1,3}){3}:[0-9]+\\b' },
  { name: 'capitals', kind: 'none', pattern: '\\b[A-Z][a-z]+[A-Z][a-z]+ is [TF]' },
  { name: 'every line', kind: 'none', pattern: '' },
  { name: 'x y z', kind: 'quadratic', pattern: 'x.*y.*z' },
  { name: '.* x y z', kind: 'quadratic', pattern: '.*x.*y.*z', base: 'x y z' },
  { name: '.* panic', kind: 'quadratic', pattern: '.*panic', base: 'panic' },
  { name: 'dump', kind: 'quadratic', pattern: 'payload: .*0x[0-9a-f]{2}$' },
  { name: '.* dump', kind: 'quadratic', pattern: '.*payload: .*0x[0-9a-f]{2}$', base: 'dump' },
]

export const PATTERNS: readonly Pattern[] = [
  ...TUNED,
  ...pasted.map((pattern, index): Pattern => ({ name: `pasted ${index + 1}`, kind: 'pasted', pattern })),
]

/** Of the pasted patterns, every eighth: what takes long is done for these only. */
export function isSampled({ kind, name }: Pattern): boolean {
  return kind !== 'pasted' || Number(name.slice('pasted '.length)) % 8 === 1
}
