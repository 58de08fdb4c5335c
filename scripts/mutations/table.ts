/** One change that breaks a promise, and the test that must notice. */
export interface Mutation {
  /** What no longer holds with it, as docs/reliability.md names it. */
  readonly invariant: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly text: string
  readonly replacement: string
  readonly test: string
}

/** Each is a mistake that somebody might make, not a line that can't run. */
export const MUTATIONS: readonly Mutation[] = [
  {
    invariant: 'a failure that several logs of a run tell is counted once',
    file: 'lib/signature/run-matcher.ts',
    text: '({ cause, resource }) =>',
    replacement: '({ cause: of, log: cause, resource }) => of +',
    test: 'lib/signature/run-matcher.test.ts',
  },
  {
    invariant: 'an answer that became complete is not the one that lacked something',
    file: 'app/_api/answer.ts',
    text: "    .update(headers['prowl-partial'] ?? '')\n",
    replacement: '',
    test: 'app/v2/peer.test.ts',
  },
  {
    invariant: 'a block with a match is a candidate of its plan',
    file: 'lib/regex/plan.ts',
    text: "return max === 1 ? this.#choice([once, { exact: [''] }]) :",
    replacement: 'return max === 1 ? once :',
    test: 'lib/regex/plan-law.test.ts',
  },
  {
    invariant: 'a damaged part of the index is set aside, and its blocks are scanned',
    file: 'lib/store/embedded/grams/segments.ts',
    text: 'if (crc !== chunkCrc(chunk)) throw',
    replacement: 'if (crc !== chunkCrc(chunk) && data.length === 0) throw',
    test: 'lib/store/embedded/grams/gram-index.test.ts',
  },
  {
    invariant: 'a leader whose lease may have ended sends nothing',
    file: 'lib/store/elastic/lease.ts',
    text: 'return this.left >= this.requestMs',
    replacement: 'return true',
    test: 'lib/store/elastic/lease.test.ts',
  },
  {
    invariant: 'the cursor passes only what was committed',
    file: 'ingest/pass.ts',
    text: 'result.whole ? moveCursor(read, found, from, startedAt) : read',
    replacement: 'moveCursor(read, found, from, startedAt)',
    test: 'ingest/pass.test.ts',
  },
  {
    invariant: 'another site’s page freezes nothing',
    file: 'app/_server/guard.ts',
    text: "site === 'same-origin' :",
    replacement: "site !== 'same-site' :",
    test: 'app/_server/guard.test.ts',
  },
  {
    invariant: 'no secret is logged',
    file: 'lib/log/secrets.ts',
    text: 'JSON.stringify(secret).slice(1, -1)',
    replacement: 'JSON.stringify(secret)',
    test: 'lib/log/log.test.ts',
  },
  {
    invariant: 'nothing outside of the bucket’s directory is read',
    file: 'ingest/source/directory.ts',
    text: 'real.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)',
    replacement: 'real.startsWith(this.#root)',
    test: 'ingest/source/directory.test.ts',
  },
  {
    invariant: 'incidents that merge keep the older id, and the other one leads to it',
    file: 'lib/incident/ids.ts',
    text: '...others.flatMap((other) => [other.id, ...other.aliases])',
    replacement: '...others.flatMap((other) => other.aliases)',
    test: 'lib/incident/ids.test.ts',
  },
  {
    invariant: 'a rare failure that has been quiet for a while is not called held',
    file: 'lib/incident/verdict.ts',
    text: "state: chance <= threshold ? state : 'active',",
    replacement: 'state,',
    test: 'lib/incident/verdict.test.ts',
  },
  {
    invariant: 'a log whose middle was left out says so',
    file: 'ingest/read/capped-log.ts',
    text: '...(this.#tail && this.#tail.dropped > 0 ? { truncatedFrom: this.received } : {}),',
    replacement: '...(this.#tail && this.#tail.dropped > this.#maxBytes ? { truncatedFrom: this.received } : {}),',
    test: 'ingest/read/capped-log.test.ts',
  },
]
