const GIB = 2 ** 30

/** What one search may cost whoever asks: lines given, milliseconds, and decoded bytes of log that patterns are run on. */
export const SEARCH_LIMITS = {
  /** One page of an answer, for the site and the API. */
  page: { lines: 200, linesPerLog: 5, ms: 10_000, bytes: 4 * GIB },
  /** The counts beside it, over the whole range. */
  pageCounts: { ms: 3_000, bytes: 4 * GIB },
  /** The lines of one run: counted for the API, and before its page is sent. */
  find: { ms: 10_000, pageMs: 700, bytes: 4 * GIB },
  /** One answer in ci-search's form, all patterns together: its readers wait for 30 s. `lines` are found at a time. */
  peer: { lines: 1_000, ms: 20_000, bytes: 4 * GIB, abreast: 2 },
  /** Such answers are given again for so long, as far as their text (characters) fits; so many are made at once. */
  peerRecent: { ms: 15_000, most: 64 * 2 ** 20, atOnce: 4, waiting: 40 },
  /** A chart's counts, and how charts are kept as above, by runs drawn. */
  chart: { ms: 10_000, bytes: 4 * GIB },
  chartRecent: { ms: 30_000, most: 60_000, atOnce: 2, waiting: 20 },
  /** All lines counted, where an answer is frozen. */
  freeze: { ms: 10_000, maxBytes: 4 * GIB },
  /** And where what was frozen is compared with today. */
  compare: { ms: 5_000, maxBytes: 2 * GIB },
  /** A command's search goes on step by step, and ends by its bytes, which a flag may raise. */
  step: { lines: 200, ms: 30_000 },
  command: { ms: 600_000, bytes: 64 * GIB },
} as const
