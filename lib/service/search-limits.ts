const GIB = 2 ** 30

/** What one search may cost whoever asks: lines given, milliseconds, and decoded bytes of log that patterns are run on. */
export const SEARCH_LIMITS = {
  /** One page of an answer, for the site and the API. */
  page: { lines: 200, linesPerLog: 5, ms: 10_000, bytes: 4 * GIB },
  /** The counts beside it, over the whole range. */
  pageCounts: { ms: 3_000, bytes: 4 * GIB },
  /** All lines counted, where an answer is frozen. */
  freeze: { ms: 10_000, maxBytes: 4 * GIB },
  /** And where what was frozen is compared with today. */
  compare: { ms: 5_000, maxBytes: 2 * GIB },
  /** A command's search goes on step by step, and ends by its bytes, which a flag may raise. */
  step: { lines: 200, ms: 30_000 },
  command: { ms: 600_000, bytes: 64 * GIB },
} as const
