/** Every code has a paragraph in docs/errors.md; a test ties the two together. */
export const ERROR_CODES = {
  REGEX_SYNTAX: 400,
  REGEX_UNSUPPORTED: 400,
  REGEX_TOO_LARGE: 400,
  QUERY_INVALID: 400,
  EDIT_INVALID: 400,
  EDIT_TOO_LARGE: 413,
  NOT_FOUND: 404,
  REQUEST_CROSS_SITE: 403,
  REQUEST_MALFORMED: 400,
  REQUEST_TIMEOUT: 408,
  METHOD_UNKNOWN: 405,
  RANGE_UNSATISFIABLE: 416,
  URL_TOO_LONG: 414,
  HEADERS_TOO_LARGE: 431,
  REQUEST_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  SEARCH_DEADLINE: 503,
  SEARCH_BUSY: 503,
  SERVER_UNREACHABLE: 503,
  CONFIG_INVALID: 500,
  BUCKET_NOT_FOUND: 500,
  BUCKET_DENIED: 500,
  BUCKET_CREDENTIALS: 500,
  BUCKET_NOT_DIRECTORY: 500,
  BUCKET_EMPTY: 500,
  BUCKET_UNREACHABLE: 500,
  DISCOVERY_FAILED: 500,
  OBJECT_NOT_FOUND: 404,
  OBJECT_UNREADABLE: 500,
  OBJECT_CHANGED: 500,
  OBJECT_BROKEN: 500,
  DATA_DIR_UNWRITABLE: 500,
  DATA_DIR_NEWER: 500,
  DATA_DIR_LOCKED: 500,
  STORE_CORRUPT: 500,
  STORE_FAILED: 500,
  STORE_FULL: 503,
  STORE_UNREACHABLE: 503,
  STORE_DENIED: 500,
  STORE_LAYOUT: 500,
  STORE_LEASE_HELD: 500,
  STORE_LEASE_LOST: 500,
  STORE_NOT_EMPTY: 500,
  STORE_UNFINISHED: 500,
  COPY_DIFFERS: 500,
  BACKUP_INVALID: 500,
  BACKUP_NEWER: 500,
  SIGNATURE_INVALID: 500,
  PORT_IN_USE: 500,
  NODE_TOO_OLD: 500,
  CHROMIUM_MISSING: 500,
  UNEXPECTED: 500,
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** Next bundles this module several times over, and errors cross from one copy to another. */
const BRAND = Symbol.for('prowl.error')

/** Names of objects may hold any: a message is one line, and moves no terminal's cursor. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** Which of a query's patterns an error is about: the one at `index`, from 0, of those that the parameter gives. */
export interface FaultyPattern {
  readonly parameter: 'search' | 'exclude' | 'name' | 'excludeName'
  readonly index: number
  readonly text: string
}

/** A fault or refusal with a stable code. `message` is one line that says what happened and what to do. */
export class ProwlError extends Error {
  override readonly name = 'ProwlError'
  readonly [BRAND] = true
  readonly code: ErrorCode
  /** Offset into the pattern, in UTF-16 units, for REGEX_* errors. */
  readonly position: number | undefined
  /** The pattern that `position` is in, where a query's patterns were read. */
  readonly pattern: FaultyPattern | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; position?: number | undefined; pattern?: FaultyPattern | undefined } = {},
  ) {
    super(message.replace(CONTROLS, ' '), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.position = options.position
    this.pattern = options.pattern
  }

  /** HTTP status. */
  get status(): number {
    return ERROR_CODES[this.code]
  }

  /** Page of the docs that explains the code. */
  get docs(): string {
    return `docs/errors.md#${this.code.toLowerCase()}`
  }
}

export function isProwlError(error: unknown): error is ProwlError {
  return error instanceof Error && BRAND in error
}
